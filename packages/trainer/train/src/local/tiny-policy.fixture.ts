import type { StepRow } from '../steps/index.ts';
import type { PolicyShape } from './model/policy-shape.ts';
import { SeededRandom } from './numbers/seeded-random.ts';

export const tinyShape: PolicyShape = {
  vocabularySize: 11,
  hiddenSize: 12,
  intermediateSize: 10,
  layers: 2,
  heads: 2,
  headSize: 4,
  maxContext: 64,
  endToken: 10,
};

/** Rows with logprobs so far from the policy's that some ratios are clipped on either side. */
export function randomRows(seed: number, lengths: readonly number[], shape = tinyShape): StepRow[] {
  const random = new SeededRandom(seed);
  const list = (length: number, value: () => number): number[] => Array.from({ length }, value);
  const token = (): number => Math.floor(random.uniform() * shape.vocabularySize);
  return lengths.map((length) => {
    const weights = list(length, () => (random.uniform() < 0.3 ? 0 : 0.5 + random.uniform()));
    return {
      tokens: list(length, token),
      targets: list(length, token),
      weights,
      logprobs: weights.map((weight) =>
        weight === 0 ? 0 : -Math.log(shape.vocabularySize) + random.normal() * 0.6,
      ),
      advantages: weights.map((weight) => (weight === 0 ? 0 : random.normal())),
    };
  });
}
