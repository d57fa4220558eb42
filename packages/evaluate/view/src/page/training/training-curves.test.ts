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

it('reads the steps of art train: nested numbers by their names, and held-out scores at the steps that were measured', () => {
  const step = (number: number, reward: number, evaluations: object[] = []) => ({
    step: number,
    reward,
    rewardOfTen: reward,
    groups: { trained: number },
    lag: { mean: number / 4 },
    metrics: { 'loss:mean': 1 / number },
    evaluations,
  });
  const curves = trainingCurves([
    step(1, 0.1, [{ step: 0, score: 0.2 }]),
    // It was made again after a crash.
    step(2, 0.9),
    step(2, 0.3, [{ step: 1, score: 0.4, folder: 'x' }]),
  ] as never);
  expect(curves.map(({ member, lines }) => [member, lines[0]!.values])).toEqual([
    ['reward', [null, 0.1, 0.3]],
    ['held-out score', [0.2, 0.4, null]],
    ['loss', [null, 1, 0.5]],
    ['lag mean', [null, 0.25, 0.5]],
    ['groups trained', [null, 1, 2]],
  ]);
});

it('the mean of ten begins with the tenth', () => {
  const values = Array.from({ length: 11 }, (_, at) => at);
  expect(movingMean(values).slice(8)).toEqual([null, 4.5, 5.5]);
});

it('says beside scores of different tasks how many they are', () => {
  const membersOf = (...counts: number[]): unknown[] =>
    trainingCurves([
      { step: 1, evaluations: counts.map((tasks, step) => ({ step, score: 0.5, tasks })) },
    ] as never).map(({ member, lines }) => [member, lines[0]!.values]);
  expect(membersOf(40, 40)).toEqual([['held-out score', [0.5, 0.5]]]);
  expect(membersOf(40, 12)).toEqual([
    ['held-out score', [0.5, 0.5]],
    ['held-out tasks', [40, 12]],
  ]);
});
