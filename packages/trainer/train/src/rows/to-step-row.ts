import { toTinkerDatum, type TrainingRow } from '@art/trajectories';
import type { StepRow } from '../steps/index.ts';

/** A row as the port has it: all tokens but the last, and behind each its target, with everything shifted along. */
export function toStepRow(row: TrainingRow): StepRow {
  const { model_input: input, loss_fn_inputs: inputs } = toTinkerDatum(row, { weights: true });
  return {
    tokens: input.chunks.flatMap(({ tokens }) => tokens),
    targets: inputs.target_tokens.data,
    weights: inputs.weights!.data,
    logprobs: inputs.logprobs.data,
    advantages: inputs.advantages.data,
  };
}

/** How many targets train. */
export function trainedTokens(rows: readonly StepRow[]): number {
  return rows.reduce((sum, { weights }) => sum + weights.filter((weight) => weight !== 0).length, 0);
}
