import type { BatchProgress } from '@art/client';

/** The progress of a batch that has just begun, with some fields changed. */
export function batchProgress(changes: Partial<BatchProgress> = {}): BatchProgress {
  return {
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
    meanReward: undefined,
    concurrencyLimit: 4,
    elapsedMs: 0,
    ...changes,
  };
}
