import { describe, expect, it } from 'vitest';
import { sampleRow } from '../testing/sample-row.ts';
import { checkTrainingRow } from './check-training-row.ts';

describe('checkTrainingRow', () => {
  it('takes a whole row, one without a response, and one with everything', () => {
    const empty = {
      token_ids: [1],
      prompt_length: 1,
      loss_mask: [],
      logprobs: [],
      turn_spans: [],
      num_turns: 0,
    };
    for (const row of [
      sampleRow(),
      sampleRow(empty),
      sampleRow({
        advantages: [1, -2, 0, 0.5],
        routed_experts: { data: 'AA==', encoding: 'npy_base64' },
        reward: null,
        group_id: null,
        finish_reason: null,
      }),
    ]) {
      expect(() => checkTrainingRow(row)).not.toThrow();
    }
  });

  const violations: [name: string, changes: object, said: RegExp][] = [
    [
      'another schema',
      { schema: 'art.training-row.v2' },
      /schema of row "rollout\/0" to be "art\.training-row\.v1"/,
    ],
    ['no row id', { row_id: '' }, /row_id/],
    ['a group that is a number', { group_id: 7 }, /group_id/],
    ['an index past the count', { row_index: 1 }, /row_index .* integer below 1/],
    ['a last row that does not say so', { is_last: false }, /is_last/],
    ['a reward that is not finite', { reward: Number.NaN }, /reward .* got NaN/],
    ['an unknown status', { status: 'pending' }, /status/],
    ['a negative token', { token_ids: [1, 2, 3, 4, -5, 6] }, /token_ids\[4\]/],
    ['a token that is not whole', { token_ids: [1, 2.5, 3, 4, 5, 6] }, /token_ids\[1\]/],
    ['a prompt longer than the tokens', { prompt_length: 7 }, /prompt_length .* 0 to 6/],
    ['a mask that is too short', { loss_mask: [1, 1, 0] }, /loss_mask .* list of 4.* got an array of 3/],
    ['logprobs that are too long', { logprobs: [-1, -1, 0, -1, -1] }, /logprobs .* list of 4/],
    ['a mask of 2', { loss_mask: [1, 2, 0, 1] }, /loss_mask\[1\]/],
    [
      'a logprob where the mask is 0',
      { logprobs: [-1, -1, -1, -1] },
      /logprobs\[2\] .* 0 where the mask is 0/,
    ],
    ['a logprob above 0', { logprobs: [0.1, -1, 0, -1] }, /logprobs\[0\] .* at most 0/],
    [
      'a logprob that is not finite',
      { logprobs: [-1, -1, 0, Number.NEGATIVE_INFINITY] },
      /logprobs\[3\] .* finite/,
    ],
    ['advantages of another length', { advantages: [1] }, /advantages .* list of 4/],
    ['an advantage that is not finite', { advantages: [1, 1, 1, Number.NaN] }, /advantages\[3\]/],
    [
      'a sampled token without a turn',
      { turn_spans: [{ trace_id: 'a', start: 0, end: 2 }] },
      /response token 3/,
    ],
    [
      'two turns with one token',
      {
        turn_spans: [
          { trace_id: 'a', start: 0, end: 3 },
          { trace_id: 'b', start: 2, end: 4 },
        ],
      },
      /turn_spans\[1\] .* response token 2/,
    ],
    [
      'one capture in two turns',
      {
        turn_spans: [
          { trace_id: 'a', start: 0, end: 2 },
          { trace_id: 'a', start: 3, end: 4 },
        ],
      },
      /turn_spans\[1\]\.trace_id/,
    ],
    [
      'a turn past the end',
      { turn_spans: [{ trace_id: 'a', start: 0, end: 5 }] },
      /turn_spans\[0\]\.end .* 0 to 4/,
    ],
    [
      'a turn that ends before it begins',
      { turn_spans: [{ trace_id: 'a', start: 3, end: 2 }] },
      /\.end .* 3 to 4/,
    ],
    [
      'a weight version that is text',
      { turn_spans: [{ trace_id: 'a', start: 0, end: 4, weight_version: 'v' }] },
      /weight_version/,
    ],
    ['experts without data', { routed_experts: { encoding: 'x' } }, /routed_experts/],
    ['metadata that is a list', { metadata: [] }, /metadata/],
  ];

  it.each(violations)('refuses %s', (_, changes, said) => {
    expect(() => checkTrainingRow({ ...sampleRow(), ...changes })).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_TRAINING_ROW',
        message: expect.stringMatching(said) as string,
      }),
    );
  });

  it.each([null, [], 'row', undefined])('refuses %j, which is no row at all', (value) => {
    expect(() => checkTrainingRow(value)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_TRAINING_ROW' }),
    );
  });
});
