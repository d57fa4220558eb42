import type { RewardProblem, RolloutOutcomeKind } from '@art/protocol';
import type { JsonObject } from '@art/ground';
import type { Conversation } from '../conversation/conversation.ts';
import type { TrainingRow } from '../rows/training-row.ts';

export const rolloutSchema = 'art.rollout.v1';

/** A rollout that has ended, as checks and exports take it. Everything in it may be hostile. Undefined means not observed. */
export interface RecordedRollout {
  /** Unique in its run. */
  id: string;
  /** Rollouts with the same one had the same input: they are a group. */
  inputId: string;
  outcome: RolloutOutcomeKind;
  /** Null where there is none, which is not 0. */
  reward: number | null;
  sessionId: string | null;
  /** Why the outcome is not `ok`. */
  error?: ErrorRecord | null | undefined;
  /** Answers of the model that the gateway captured. @default those of the conversation */
  modelCalls?: number | null | undefined;
  /** Calls of the model that failed; they are not among `modelCalls`. */
  failedCalls?: number | null | undefined;
  /** Tokens that train. @default those of the rows */
  trainedTokens?: number | null | undefined;
  /** Undefined where the calls of the model were not observed: no gateway, or a transcript that is gone. */
  conversation?: Conversation | undefined;
  /** The rows of a trainer. */
  rows?: readonly TrainingRow[] | undefined;
  /** The agent's input, where it was kept beside the document. */
  payload?: JsonObject | undefined;
  /** The agent's result; null where there is none. */
  document?: JsonObject | null | undefined;
}

/**
 * The outcome of a rollout and what was seen of it, `art.rollout.v1`: a line of `art invoke --out`, of the `rollouts.jsonl` of a training run, and, with a task and
 * a verdict, of the `samples.jsonl` of an evaluation. Members are null, or are left out, where the value does not exist or is not known.
 */
export interface RolloutRecord extends OutcomeRecord, RecordedRollout {
  schema: typeof rolloutSchema;
  outcome: RolloutOutcomeKind;
  reward: number | null;
  sessionId: string | null;
  error: ErrorRecord | null;
  /** The run of a file with several. */
  runId?: string | null | undefined;
  /** Place among the payloads, from 0. */
  index?: number | undefined;
  /** Where `resultKey` is. */
  bucket?: string | null | undefined;
}

/** The outcome of a rollout: of an item of a batch, a sample, or a member of a group. */
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
  /** The result was written, where that can be seen. */
  storedMs?: number | null | undefined;
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

/** Why something failed. */
export interface ErrorRecord {
  code: string;
  message: string;
  /** The agent's own traceback where it gave one, else that of our error. */
  stack: string | null;
}
