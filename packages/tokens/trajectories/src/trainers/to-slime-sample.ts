import { ArtError } from '@art/ground';
import { refuseTurnCredit } from '../rows/refuse-turn-credit.ts';
import { trains, weightVersionsOf } from '../rows/row-parts.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** slime's `Sample`, as its `Sample.from_dict` reads it. */
export interface SlimeSample {
  group_index: number | null;
  index: number | null;
  prompt: string;
  tokens: readonly number[];
  response: string;
  response_length: number;
  label: null;
  reward: number | null;
  loss_mask: readonly number[];
  weight_versions: readonly string[];
  rollout_log_probs: readonly number[];
  /** Set where nothing trains, so that slime keeps the sample's place in its group and leaves it out of the loss. */
  remove_sample: boolean;
  status: TrainingRow['status'];
  session_id: string;
  rollout_id: string;
  metadata: Readonly<Record<string, unknown>>;
}

export interface SlimeSampleOptions {
  /** slime's own number of the sample. @default null */
  index?: number;
  /** slime's own number of the group, whose ids are integers there. @default null */
  groupIndex?: number;
}

/**
 * A row for slime. Megatron needs a prompt of at least one token: a row without any gives it the first one of its
 * response, if that does not train. `group_id`, `row_index` and the experts, still as the engine encoded them, are in
 * `metadata`. Texts are empty, since nothing is decoded here.
 * @throws ArtError `ART_INVALID_TRAINING_ROW` for a row that has no token to spare for the prompt, or advantages by turn
 */
export function toSlimeSample(row: TrainingRow, options: SlimeSampleOptions = {}): SlimeSample {
  refuseTurnCredit([row], 'slime');
  const borrowed = row.prompt_length === 0 ? 1 : 0;
  if (borrowed === 1 && row.loss_mask[0] !== 0) {
    throw new ArtError({
      code: 'ART_INVALID_TRAINING_ROW',
      message: `Expected row ${JSON.stringify(row.row_id)} to have a prompt of at least 1 token, which slime needs, got none and no untrained token behind it. Leave the row out.`,
    });
  }
  return {
    group_index: options.groupIndex ?? null,
    index: options.index ?? null,
    prompt: '',
    tokens: row.token_ids,
    response: '',
    response_length: row.loss_mask.length - borrowed,
    label: null,
    reward: row.reward,
    loss_mask: row.loss_mask.slice(borrowed),
    weight_versions: row.turn_spans.flatMap(weightVersionsOf),
    rollout_log_probs: row.logprobs.slice(borrowed),
    remove_sample: !trains(row),
    status: row.status,
    session_id: row.session_id,
    rollout_id: row.rollout_id,
    metadata: {
      ...row.metadata,
      row_id: row.row_id,
      row_index: row.row_index,
      row_count: row.row_count,
      group_id: row.group_id,
      ...(row.routed_experts !== undefined && { routed_experts: row.routed_experts }),
    },
  };
}
