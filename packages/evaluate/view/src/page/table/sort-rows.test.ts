import { expect, it } from 'vitest';
import { sampleRow } from '../../testing/sample-row.fixture.ts';
import { isSortOrder, sortRows, type SortOrder } from './sort-rows.ts';

const rows = [
  sampleRow({ at: 0, taskId: 'task-10', score: null }),
  sampleRow({ at: 1, taskId: 'task-9', score: 0 }),
  sampleRow({ at: 2, taskId: 'task-1', score: 1 }),
  sampleRow({ at: 3, taskId: 'task-2', score: 0 }),
];

it.each<[SortOrder, number[]]>([
  ['', [0, 1, 2, 3]],
  ['task', [2, 3, 1, 0]],
  ['score', [1, 3, 2, 0]],
  ['-score', [2, 1, 3, 0]],
])(
  'by %j: numbers in names count, equal ones keep their order, those without come last',
  (order, expected) => {
    expect(sortRows(rows, order).map(({ at }) => at)).toEqual(expected);
  },
);

it('an address may say any order', () => {
  expect(['', '-latency', 'tokens', 'toString', '--score'].map(isSortOrder)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
