import type { Loss, StepRow } from '@art/train/steps';

/** The API takes flat lists with a type. */
interface TensorData {
  data: readonly number[];
  dtype: 'int64' | 'float32';
  shape: [number];
}

/** A row as the API of training sessions takes it. */
export interface Datum {
  modelInput: { chunks: [{ tokens: readonly number[]; type: 'encoded_text' }] };
  lossFnInputs: Record<string, TensorData>;
}

/** @param scale what advantages are multiplied by */
export function toDatum(row: StepRow, loss: Loss, scale: number): Datum {
  const { tokens, targets, weights, logprobs, advantages } = row;
  return {
    modelInput: { chunks: [{ tokens, type: 'encoded_text' }] },
    lossFnInputs: {
      target_tokens: { data: targets, dtype: 'int64', shape: [targets.length] },
      weights: float(weights),
      ...(loss.name !== 'cross_entropy' && {
        logprobs: float(logprobs ?? []),
        // Where a target does not train its advantage is 0, too: a loss that passes over the weights must not train on the prompt.
        advantages: float(
          (advantages ?? []).map((advantage, at) => (weights[at] === 0 ? 0 : advantage * scale)),
        ),
      }),
    },
  };
}

function float(data: readonly number[]): TensorData {
  return { data, dtype: 'float32', shape: [data.length] };
}
