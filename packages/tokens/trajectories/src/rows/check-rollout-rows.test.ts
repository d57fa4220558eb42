import { describe, expect, it } from 'vitest';
import { sampleRow } from '../testing/sample-row.ts';
import type { TrainingRow } from './training-row.ts';
import { checkRolloutRows } from './check-rollout-rows.ts';

/** Two rows: the second shares the first turn, which trains in the first only, and has its own turn. */
function twoRows(changes: Partial<TrainingRow> = {}): TrainingRow[] {
  const first = sampleRow({ row_count: 2, is_last: false });
  const second = sampleRow({
    row_id: 'rollout/1',
    row_index: 1,
    row_count: 2,
    loss_mask: [0, 0, 0, 1],
    logprobs: [0, 0, 0, -1],
    turn_spans: [{ trace_id: 'c', start: 3, end: 4 }],
    ...changes,
  });
  return [first, second];
}

describe('checkRolloutRows', () => {
  it('takes the rows of a rollout in any order', () => {
    expect(() => checkRolloutRows([sampleRow()])).not.toThrow();
    expect(() => checkRolloutRows(twoRows())).not.toThrow();
    expect(() => checkRolloutRows(twoRows().toReversed())).not.toThrow();
  });

  it.each<[name: string, rows: TrainingRow[], said: RegExp]>([
    ['no rows', [], /got none/],
    ['a row that is missing', twoRows().slice(0, 1), /Expected 2 rows .* got 1/],
    ['one index twice', twoRows({ row_index: 0, is_last: false }), /row_index 0 once/],
    ['one row id twice', twoRows({ row_id: 'rollout/0' }), /"rollout\/0" twice/],
    ['another rollout', twoRows({ rollout_id: 'other' }), /rollout_id .* "rollout" .* got "other"/],
    ['another group', twoRows({ group_id: null }), /group_id/],
    [
      'a call in two rows',
      twoRows({ turn_spans: [{ trace_id: 'b', start: 3, end: 4 }] }),
      /capture "b" in one row/,
    ],
    ['a row that is wrong by itself', twoRows({ logprobs: [0, 0, 0, 1] }), /logprobs\[3\]/],
  ])('refuses %s', (_, rows, said) => {
    expect(() => checkRolloutRows(rows)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_TRAINING_ROW',
        message: expect.stringMatching(said) as string,
      }),
    );
  });
});
