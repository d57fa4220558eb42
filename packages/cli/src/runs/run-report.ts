import type { HeldBy, RunSummary } from '@art/journal';

/** Where a run stands. `held`: another process works on it, or may; `open`: it can be resumed. */
export type RunState = 'finished' | 'held' | 'open';

/** What `art runs --json` tells of a run, as one line. */
export interface RunReport {
  runId: string;
  state: RunState;
  kind: RunSummary['kind'];
  createdAtMs: number;
  lastAtMs: number;
  /** Payloads, or inputs of groups; null where nobody has seen the end of their source. */
  total: number | null;
  /** Items that consumers were done with. */
  done: number;
  /** Of rollouts, retries and replacements among them. */
  ok: number;
  /** Without those that were called off. */
  failed: number;
  openSessions: number;
  agentRuntimeArn: string | null;
  /** Null where results come from sessions, as `bucket`. */
  expId: string | null;
  bucket: string | null;
  /** The process that has the run, or that died with it. */
  holder: { pid: number; host: string; state: HeldBy['state'] } | null;
  /** Null where the journal is in a store. */
  sizeBytes: number | null;
}

export function runReport(run: RunSummary, sizeBytes: number | undefined): RunReport {
  const { ok = 0, cancelled: _, ...others } = run.rollouts.settled;
  const { heldBy } = run;
  return {
    runId: run.runId,
    state: stateOf(run),
    kind: run.kind,
    createdAtMs: run.createdAtMs,
    lastAtMs: run.lastAtMs,
    total: run.payloadCount ?? null,
    done: run.acknowledged,
    ok,
    failed: Object.values(others).reduce((sum, count) => sum + count, 0),
    openSessions: run.openSessions,
    agentRuntimeArn: run.agentRuntimeArn ?? null,
    expId: run.expId ?? null,
    bucket: run.bucket ?? null,
    holder:
      heldBy === undefined ? null : { pid: heldBy.holder.pid, host: heldBy.holder.host, state: heldBy.state },
    sizeBytes: sizeBytes ?? null,
  };
}

function stateOf({ isFinished, heldBy }: RunSummary): RunState {
  if (heldBy !== undefined && heldBy.state !== 'dead') return 'held';
  return isFinished ? 'finished' : 'open';
}
