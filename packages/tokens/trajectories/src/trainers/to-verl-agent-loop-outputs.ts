import { ArtError } from '@art/ground';
import { refuseTurnCredit } from '../rows/refuse-turn-credit.ts';
import { announcedVersionsOf, promptTokens, responseTokens, trains } from '../rows/row-parts.ts';
import type { TrainingRow } from '../rows/training-row.ts';

/** The fields of verl's `AgentLoopOutput`. */
export interface VerlAgentLoopOutput {
  prompt_ids: readonly number[];
  response_ids: readonly number[];
  response_mask: readonly number[];
  response_logprobs: readonly number[];
  /** Reward of the rollout. Null in all of a batch or in none. */
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
 * Rows for verl, with all rows of each of their rollouts, in the order in which they come. Every row of a rollout carries the
 * rollout's score, which is on its last row only otherwise: one null among the scores of a batch makes verl leave out
 * `rm_scores` for the whole batch. verl's `compute_advantage` so counts a rollout once a row in its group's mean; its V1 trainer, and
 * `with_advantages` of `examples/trainers/verl`, count it once.
 *
 * verl refuses a mask without a 1, so that a row in which nothing trains becomes inert: one pad token with
 * mask 1 and logprob 0, and `inert: true` among the extra fields. `min_global_steps` and `max_global_steps` are there if
 * the trainer announced its weight versions. Experts are left out: verl wants them as tensors.
 * @throws ArtError `ART_INVALID_TRAINING_ROW` where some rollouts have a reward and others have none, and for rows without the
 * last one of their rollout or with advantages by turn
 */
export function toVerlAgentLoopOutputs(
  rows: readonly TrainingRow[],
  options: VerlAgentLoopOutputOptions = {},
): VerlAgentLoopOutput[] {
  refuseTurnCredit(rows, 'verl');
  const scores = scoresOf(rows);
  return rows.map((row) => toOutput(row, row.reward ?? scores.get(row.rollout_id) ?? null, options));
}

/** The score of each rollout. */
function scoresOf(rows: readonly TrainingRow[]): Map<string, number | null> {
  const scores = new Map<string, number | null>();
  for (const { rollout_id: id, is_last: isLast, reward } of rows) if (isLast) scores.set(id, reward);
  for (const { rollout_id: id, row_id: rowId } of rows) {
    if (scores.has(id)) continue;
    refuse(
      `Expected all rows of rollout ${JSON.stringify(id)}, whose score is on the last one, got ${JSON.stringify(rowId)} without that.`,
    );
  }
  const [unscored] = Array.from(scores).find(([, score]) => score === null) ?? [];
  if (unscored !== undefined && Array.from(scores.values()).some((score) => score !== null)) {
    refuse(
      `Expected a reward for every rollout or for none, since verl drops the scores of a whole batch for one that is missing, got none for rollout ${JSON.stringify(unscored)}. Leave it out, or give it a reward.`,
    );
  }
  return scores;
}

function toOutput(
  row: TrainingRow,
  score: number | null,
  options: VerlAgentLoopOutputOptions,
): VerlAgentLoopOutput {
  const isInert = !trains(row);
  const steps = row.turn_spans.flatMap(announcedVersionsOf);
  return {
    prompt_ids: promptTokens(row),
    response_ids: isInert ? [options.padTokenId ?? 0] : responseTokens(row),
    response_mask: isInert ? [1] : row.loss_mask,
    response_logprobs: isInert ? [0] : row.logprobs,
    reward_score: score,
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

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_TRAINING_ROW', message });
}
