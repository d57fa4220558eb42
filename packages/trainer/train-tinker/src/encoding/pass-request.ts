import type { Loss, StepRow } from '@art/train/steps';

/** One request of a pass, before it is written. */
export interface PassRequest {
  modelId: string;
  seqId: number;
  rows: readonly StepRow[];
  loss: Loss;
}

/** A list of numbers by its name in the wire. */
export interface NamedTensor {
  name: string;
  data: readonly number[];
  dtype: 'int64' | 'float32';
}

export type Reduction = 'sum' | 'row-mean';

/**
 * Inputs from which the server computes the loss of a row. Tinker's losses for reinforcement know no weights: an advantage of 0 masks, and
 * a weight is a factor of the advantage.
 */
export function lossInputs(
  { targets, weights, logprobs = [], advantages = [] }: StepRow,
  loss: Loss,
  reduction: Reduction,
): NamedTensor[] {
  const target: NamedTensor = { name: 'target_tokens', data: targets, dtype: 'int64' };
  if (loss.name === 'cross_entropy') return [target, { name: 'weights', data: weights, dtype: 'float32' }];
  const rowWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = reduction === 'row-mean' ? rowWeight : 1;
  const mask = weights.map((weight) => (weight === 0 ? 0 : 1));
  return [
    target,
    { name: 'logprobs', data: logprobs, dtype: 'float32' },
    {
      name: 'advantages',
      data: weights.map((weight, at) => (weight === 0 ? 0 : weight * advantages[at]! * scale)),
      dtype: 'float32',
    },
    // A server that takes means counts every target without them, the prompt's too.
    ...(reduction === 'row-mean' ? [{ name: 'weights', data: mask, dtype: 'float32' } as const] : []),
  ];
}

/** Numbers of a loss that clips. */
export function lossConfig(loss: Loss): Record<string, number> | undefined {
  return loss.name === 'ppo' || loss.name === 'cispo'
    ? { clip_low_threshold: loss.clipLow, clip_high_threshold: loss.clipHigh }
    : undefined;
}
