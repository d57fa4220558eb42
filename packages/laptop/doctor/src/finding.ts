/** How a check ended. A warning costs somebody something, a fault makes rollouts or production requests fail. */
export type Verdict = 'ok' | 'warning' | 'fault' | 'skipped';

/** Observation of a check. */
export interface Seen {
  verdict: Verdict;
  /** One sentence: what came, with figures, or why the check was skipped. */
  seen: string;
  /** True if people want to read it also where it is ok: what they ran the check for. */
  isNews?: boolean;
  /** The check whose fault is why this one was skipped. */
  because?: string;
}

/** A check and what became of it. */
export interface Finding extends Seen {
  /** Stable: `ping.time-in-seconds`. */
  id: string;
  /** Rule that must hold. */
  title: string;
  /** Reason: what goes wrong otherwise. */
  why: string;
  /** Remedy. */
  todo: string;
}

export const ok = (seen: string): Seen => ({ verdict: 'ok', seen });
/** `ok`, with what is worth reading all the same. */
export const news = (seen: string): Seen => ({ verdict: 'ok', seen, isNews: true });
export const fault = (seen: string): Seen => ({ verdict: 'fault', seen });
export const warning = (seen: string): Seen => ({ verdict: 'warning', seen });
export const skipped = (seen: string): Seen => ({ verdict: 'skipped', seen });

/** Skipped, because another check tells what is wrong. */
export const followsFrom = (because: string): Seen => ({ ...skipped(`See ${because}.`), because });

/** `ok` where it holds, else a fault, with what was seen. */
export function must(holds: boolean, seen: string): Seen {
  return holds ? ok(seen) : fault(seen);
}
