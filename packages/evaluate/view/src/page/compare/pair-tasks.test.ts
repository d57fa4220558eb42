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
  expect(pairTasks(before, after).map(({ name, difference, change }) => [name, difference, change])).toEqual([
    ['worse', -1, 'worse'],
    ['better', 0.25, 'better'],
    ['same', 0, 'same'],
    ['new', undefined, 'one-sided'],
    ['gone', undefined, 'one-sided'],
  ]);
});
