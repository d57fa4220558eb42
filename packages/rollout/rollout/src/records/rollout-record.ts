import type { RolloutOutcome, RolloutOutcomeKind } from '@art/protocol';
import { type AttemptRecord, type OutcomeRecord, type RolloutRecord, rolloutSchema } from '@art/trajectories';
import type { BatchItem } from '../batch/batch-item.ts';
import type { Attempt } from '../items/attempt.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import { errorRecord } from './error-record.ts';

/** The outcome of an item of a batch, as JSON. */
export function rolloutRecord(item: BatchItem): RolloutRecord {
  const { id, index, inputId, attempts } = item;
  return { schema: rolloutSchema, id, index, inputId, ...outcomeRecord(item, attempts) };
}

/** The known facts of the attempt that counts. */
type KnownAttempt = Partial<Pick<Attempt, 'outcome' | 'sessionId' | 'invocationId' | 'resultKey'>> & {
  timings?: Partial<RolloutTimings>;
};

/**
 * The outcome of a rollout, as JSON.
 * @param last the attempt that counts
 */
export function outcomeRecord(last: KnownAttempt, attempts: readonly Attempt[]): OutcomeRecord {
  const { outcome, sessionId = '', invocationId = null, resultKey = null, timings = {} } = last;
  return {
    outcome: kindOf(outcome),
    reward: outcome?.kind === 'ok' ? (outcome.reward ?? null) : null,
    rewardProblem: outcome?.kind === 'ok' ? (outcome.rewardProblem ?? null) : null,
    error: outcome === undefined || outcome.kind === 'ok' ? null : errorRecord(outcome.error, outcome),
    sessionId: sessionId || null,
    invocationId,
    resultKey,
    submittedAtMs: sessionId === '' ? null : (timings.submittedAtMs ?? null),
    timings: {
      acceptedMs: whole(timings.acceptedMs),
      noticedMs: whole(timings.noticedMs),
      settledMs: whole(timings.settledMs),
      stoppedMs: whole(timings.stoppedMs),
    },
    attempts: attempts.filter((attempt) => attempt.sessionId !== '').map(attemptRecord),
  };
}

function attemptRecord(made: Attempt): AttemptRecord {
  const { attempt, outcome, sessionId, resultKey = null, timings, throttled, resent } = made;
  return {
    attempt,
    outcome: kindOf(outcome),
    sessionId,
    resultKey,
    submittedAtMs: timings.submittedAtMs,
    settledMs: whole(timings.settledMs),
    throttled,
    resent,
    error:
      outcome === undefined || outcome.kind === 'ok' ? null : { ...errorRecord(outcome.error), stack: null },
  };
}

function kindOf(outcome: RolloutOutcome | undefined): RolloutOutcomeKind {
  return outcome?.kind ?? 'cancelled';
}

function whole(durationMs: number | undefined): number | null {
  return durationMs === undefined ? null : Math.round(durationMs);
}
