import { expect, it } from 'vitest';
import { learningRateAt } from './learning-rate-at.ts';

const rates = (kind: 'constant' | 'linear' | 'cosine', warmupSteps: number, floor: number): number[] =>
  Array.from({ length: 10 }, (_, at) =>
    learningRateAt(at + 1, {
      learningRate: 1,
      learningRateSchedule: { kind, warmupSteps, floor },
      steps: 10,
    }),
  );

it('stays, falls in a line, or falls in half a cosine', () => {
  expect(rates('constant', 0, 0)).toEqual(Array.from({ length: 10 }, () => 1));
  for (const [at, rate] of rates('linear', 0, 0).entries()) expect(rate).toBeCloseTo(1 - at / 10, 12);
  for (const [at, rate] of rates('cosine', 0, 0.2).entries())
    expect(rate).toBeCloseTo(0.2 + 0.4 * (1 + Math.cos((Math.PI * at) / 10)), 12);
});

it('rises over the warm-up, is never 0, and begins to fall behind it', () => {
  const rising = rates('linear', 4, 0);
  for (const [at, rate] of [0.2, 0.4, 0.6, 0.8, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6].entries())
    expect(rising[at]).toBeCloseTo(rate, 12);
});
