import type { RewardProblem, RolloutOutcome, RolloutOutcomeKind } from '@art/protocol';
import type { BatchItem } from '../batch/batch-item.ts';
import type { Attempt } from '../items/attempt.ts';
import type { RolloutTimings } from '../lifecycle/rollout-state.ts';
import { errorRecord, type ErrorRecord } from './error-record.ts';

/**
 * The outcome of a rollout, for every file that contains one: results of `art invoke`, samples of evaluations, members
 * of groups. It is JSON; members are null if the value does not exist or is not known.
 */
export interface OutcomeRecord {
  outcome: RolloutOutcomeKind;
  /** Last of the document's `rewards`. */
  reward: number | null;
  /** Why an `ok` rollout has no reward. */
  rewardProblem: RewardProblem | null;
  /** Why the outcome is not `ok`. */
  error: ErrorRecord | null;
  /** The session of the attempt that counts; null if nothing was sent. */
  sessionId: string | null;
  invocationId: string | null;
  /** Null also where the result came from the session. */
  resultKey: string | null;
  /** The time at which the attempt that counts was submitted, in milliseconds since 1970. */
  submittedAtMs: number | null;
  timings: TimingsRecord;
  /** All that were sent, in order. */
  attempts: AttemptRecord[];
}

/** Whole milliseconds since `submittedAtMs`. */
export interface TimingsRecord {
  /** The agent took the request. */
  acceptedMs: number | null;
  /** We saw the result. */
  noticedMs: number | null;
  /** The outcome was known. */
  settledMs: number | null;
  /** The session had been stopped. */
  stoppedMs: number | null;
}

/** The outcome of an attempt at a rollout. */
export interface AttemptRecord {
  /** From 0. */
  attempt: number;
  /** `cancelled` also where it was stopped because its group no longer needed it. */
  outcome: RolloutOutcomeKind;
  sessionId: string | null;
  resultKey: string | null;
  submittedAtMs: number | null;
  /** Until its outcome was known. */
  settledMs: number | null;
  /** How often the service answered "too many requests". */
  throttled: number;
  /** How often a call was sent again within the attempt. */
  resent: number;
  /** Without its stack. */
  error: ErrorRecord | null;
}

/** The outcome of an item of a batch. */
export interface RolloutRecord extends OutcomeRecord {
  id: string;
  index: number;
  inputId: string;
}

/** The outcome of an item of a batch, as JSON. */
export function rolloutRecord(item: BatchItem): RolloutRecord {
  const { id, index, inputId, attempts } = item;
  return { id, index, inputId, ...outcomeRecord(item, attempts) };
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
