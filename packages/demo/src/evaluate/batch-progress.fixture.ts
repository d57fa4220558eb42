import type { RunProgress } from '@art/client';

/** The progress of a batch that has just begun, with some fields changed. */
export function batchProgress(changes: Partial<RunProgress> = {}): RunProgress {
  const kinds = { complete: changes.done ?? 0, degraded: 0, failed: 0 };
  return {
    items: { total: undefined, earlier: 0, active: 0, settled: changes.done ?? 0, kinds },
    submitted: 0,
    active: 0,
    done: 0,
    outcomes: {
      ok: changes.done ?? 0,
      agent_error: 0,
      infra_error: 0,
      timeout: 0,
      lost: 0,
      throttled: 0,
      rejected: 0,
      invalid_result: 0,
      cancelled: 0,
    },
    rewarded: 0,
    unrewarded: { absent: 0, empty: 0, not_a_number: 0, not_finite: 0 },
    meanReward: undefined,
    retried: 0,
    throttled: 0,
    limit: 4,
    isPaused: false,
    elapsedMs: 0,
    ...changes,
  };
}
