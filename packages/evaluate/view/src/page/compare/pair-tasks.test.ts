import { expect, it } from 'vitest';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { pairTasks } from './pair-tasks.ts';

it('pairs by task, the largest differences first, those of one run last', () => {
  const before = [
    sampleRow({ taskId: 'same', score: 0.1 + 0.2 }),
    sampleRow({ taskId: 'worse', score: 1 }),
    sampleRow({ taskId: 'worse', sample: 1, score: null }),
    sampleRow({ taskId: 'better', score: 0.5 }),
    sampleRow({ taskId: 'gone' }),
  ];
  const after = [
    sampleRow({ taskId: 'better', score: 0.75 }),
    sampleRow({ taskId: 'worse', score: 0 }),
    sampleRow({ taskId: 'same', score: 0.3 }),
    sampleRow({ taskId: 'new' }),
  ];
  expect(
    pairTasks({ rows: before, run: null }, { rows: after, run: null }).map(({ name, difference, change }) => [
      name,
      difference,
      change,
    ]),
  ).toEqual([
    ['worse', -1, 'worse'],
    ['better', 0.25, 'better'],
    ['same', 0, 'same'],
    ['new', undefined, 'one-sided'],
    ['gone', undefined, 'one-sided'],
  ]);
});

it('takes the score that the reducer of each run makes of its samples', () => {
  const rows = [1, 0, 0.2].map((score, sample) => sampleRow({ taskId: 't', sample, score }));
  const run = { passReward: 1, samples: 3 };
  const [pair] = pairTasks(
    { rows, run: { ...run, reduce: 'at-least:1' } },
    { rows, run: { ...run, reduce: 'median' } },
  );
  expect([pair!.before!.mean, pair!.after!.mean, pair!.before!.scored]).toEqual([1, 0.2, 3]);
});
