import { expect, it } from 'vitest';
import { movingMean, trainingCurves } from './training-curves.ts';

it('has a curve for each number and a line for each run', () => {
  const curves = trainingCurves([
    { run: 'none', seed: 1, step: 1, reward: 0.1, note: 'x' },
    { run: 'spoilt', seed: 1, step: 2, reward: 0.2 },
    { run: 'none', seed: 1, step: 2, reward: Number.NaN, loss: 3 },
  ]);
  expect(curves).toEqual([
    {
      member: 'reward',
      xs: [1, 2],
      lines: [
        { name: 'none, seed 1', values: [0.1, null] },
        { name: 'spoilt, seed 1', values: [null, 0.2] },
      ],
    },
    {
      member: 'loss',
      xs: [1, 2],
      lines: [
        { name: 'none, seed 1', values: [null, 3] },
        { name: 'spoilt, seed 1', values: [null, null] },
      ],
    },
  ]);
});

it('the mean of ten begins with the tenth', () => {
  const values = Array.from({ length: 11 }, (_, at) => at);
  expect(movingMean(values).slice(8)).toEqual([null, 4.5, 5.5]);
});
