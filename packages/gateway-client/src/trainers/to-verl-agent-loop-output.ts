import { promptTokens, responseTokens, trains } from '../rows/row-parts.ts';
import type { TrainingRow } from '../training-row.ts';

/** The fields of verl's `AgentLoopOutput`. */
export interface VerlAgentLoopOutput {
  prompt_ids: readonly number[];
  response_ids: readonly number[];
  response_mask: readonly number[];
  response_logprobs: readonly number[];
  reward_score: number | null;
  num_turns: number;
  metrics: { generate_sequences: number; tool_calls: number };
  extra_fields: Readonly<Record<string, unknown>>;
}

export interface VerlAgentLoopOutputOptions {
  /** The token that stands for the response of a row in which nothing trains. @default 0 */
  padTokenId?: number;
}

/**
 * A row for verl. verl refuses a mask without a 1, so that a row in which nothing trains becomes inert: one pad token with
 * mask 1 and logprob 0, and `inert: true` among the extra fields. `min_global_steps` and `max_global_steps` are there if
 * the trainer announced its weight versions. Experts are left out: verl wants them as tensors.
 */
export function toVerlAgentLoopOutput(
  row: TrainingRow,
  options: VerlAgentLoopOutputOptions = {},
): VerlAgentLoopOutput {
  const isInert = !trains(row);
  const steps = row.turn_spans.flatMap(({ weight_version: version }) => version ?? []);
  return {
    prompt_ids: promptTokens(row),
    response_ids: isInert ? [options.padTokenId ?? 0] : responseTokens(row),
    response_mask: isInert ? [1] : row.loss_mask,
    response_logprobs: isInert ? [0] : row.logprobs,
    reward_score: row.reward,
    num_turns: row.num_turns,
    metrics: { generate_sequences: 0, tool_calls: 0 },
    extra_fields: {
      reward_extra_info: {},
      ...(steps.length > 0 && { min_global_steps: Math.min(...steps), max_global_steps: Math.max(...steps) }),
      uid: row.group_id,
      trajectory_id: row.rollout_id,
      is_last_step: row.is_last,
      status: row.status,
      ...(isInert && { inert: true }),
    },
  };
}
