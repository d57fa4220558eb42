/** A server that is checked: how it is reached, and what can be done to it. Checks may share one; each keeps to sessions of its own. */
export interface RipServer {
  /** Where `/invocations` and `/ping` are: `http://127.0.0.1:8080`. Its agent must be that of `conformanceAgent`. */
  url: string;
  /** Kills the process without a warning and starts another one on the same records, at the same `url` or at another one. */
  restart?: () => Promise<void>;
  /** The folder of the records, where they are in files. */
  stateDir?: string;
}

/** Capabilities that a check can require. A check is skipped where one is missing. */
export type RipServerCapability = 'restart' | 'stateDir';

/** One thing that every server of the Runtime Invocation Protocol must do. */
export interface RipCheck {
  /** Stable, `repeat.other-payload`. */
  id: string;
  /** A sentence about the server: "answers a repeated start with the stored result, whatever its payload". */
  name: string;
  requires?: RipServerCapability;
  /** How long the check may take; give it to your runner. */
  timeoutMs: number;
  /** Rejects with an `AssertionError` that says what was expected and what the server did. */
  run: (server: RipServer) => Promise<void>;
}

/** Why a check cannot be run on a server; undefined where it can. */
export function whyRipSkipped(check: RipCheck, server: RipServer): string | undefined {
  return check.requires !== undefined && server[check.requires] === undefined
    ? `the server has no ${check.requires}`
    : undefined;
}
