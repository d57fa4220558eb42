import type { JsonObject } from '@art/ground';
import type { RecordedRollout, TrainingRow } from '@art/trajectories';

/** A rollout as far as anybody saw it. What is undefined was not observed, which is never taken for healthy. */
export interface ObservedRollout extends RecordedRollout {
  /** Why the outcome is not `ok`. */
  error?: { code: string; message: string } | null | undefined;
  /** Answers of the model, where they were counted. @default those of the conversation */
  modelCalls?: number | undefined;
  /** Calls of the model that failed; they leave no trace. */
  failedCalls?: number | undefined;
  /** Tokens that train. @default those of the rows */
  trainedTokens?: number | undefined;
  /** What a trainer got of it. */
  rows?: readonly TrainingRow[] | undefined;
  /** The agent's input, where it was kept beside the document. */
  payload?: JsonObject | undefined;
  /** The agent's result. */
  document?: JsonObject | null | undefined;
}

/** Where a finding can be looked at. */
export interface HealthPlace {
  /** Of the rollout. */
  id: string;
  /** Which call of the model, from 1 in the order in which they began; undefined for the whole rollout. */
  call?: number | undefined;
}
