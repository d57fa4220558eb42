import { refuseTurnCredit } from '../rows/refuse-turn-credit.ts';
import { promptTokens, responseTokens } from '../rows/row-parts.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** Result of a `rollout_func` of TRL: lists that are aligned by row. */
export interface TrlBatch {
  prompt_ids: readonly (readonly number[])[];
  completion_ids: readonly (readonly number[])[];
  logprobs: readonly (readonly number[])[];
  /** 1 for tokens of the model, 0 for those of tools and of the user. */
  env_mask: readonly (readonly number[])[];
  /** From here on: for the reward functions. */
  reward: readonly (number | null)[];
  rollout_id: readonly string[];
  group_id: readonly (string | null)[];
  status: readonly TrainingRow['status'][];
}

/** Rows for TRL's `GRPOTrainer`, in the order in which they come; it takes consecutive ones for a group. @throws ArtError `ART_INVALID_TRAINING_ROW` for advantages by turn */
export function toTrlBatch(rows: readonly TrainingRow[]): TrlBatch {
  refuseTurnCredit(rows, 'TRL');
  return {
    prompt_ids: rows.map(promptTokens),
    completion_ids: rows.map(responseTokens),
    logprobs: rows.map((row) => row.logprobs),
    env_mask: rows.map((row) => row.loss_mask),
    reward: rows.map((row) => row.reward),
    rollout_id: rows.map((row) => row.rollout_id),
    group_id: rows.map((row) => row.group_id),
    status: rows.map((row) => row.status),
  };
}
