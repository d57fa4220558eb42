import { expect, it } from 'vitest';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { comparedRuns } from './compared-runs.ts';
import { pairTasks } from './pair-tasks.ts';

const run = (scores: readonly (number | null)[], turns?: number) => ({
  run: null,
  rows: scores.map((score, at) =>
    sampleRow({ taskId: `t${at}`, score, metrics: turns === undefined ? {} : { turns: turns + at } }),
  ),
});

it('has the interval, p and power of "art compare", of the score and of each metric', () => {
  const before = run([1, 1, 1, 1, 1, 1, 1, 1], 3);
  const after = run([0, 0, 0, 0, 0, 0, 0, 1], 3.5);
  expect(comparedRuns(pairTasks(before, after))).toEqual([
    {
      name: 'Score',
      before: '1',
      after: '0.125',
      difference: '−0.875',
      note: expect.stringMatching(
        /^95 %: −0\.\d{3} to −0\.\d{3}, p 0\.0156 \(exact McNemar test\), over 8 tasks$/,
      ) as string,
      power: expect.stringMatching(/^8 tasks show a difference of 0\.\d{3} with a chance of 80 %$/) as string,
    },
    {
      name: 'turns',
      before: '6.500',
      after: '7',
      difference: '+0.500',
      note: expect.stringMatching(/p 0\.0078 \(sign test\), over 8 tasks$/) as string,
      power: undefined,
    },
  ]);
});

it('compares nothing where no task has a score in both, nor metrics of one run', () => {
  expect(comparedRuns(pairTasks(run([null], 1), run([1])))).toEqual([]);
  expect(comparedRuns([])).toEqual([]);
});
