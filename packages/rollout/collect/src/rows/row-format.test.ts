import type { TrainingRow } from '@art/trajectories';
import { expect, it } from 'vitest';
import type { RowFormat } from '../request/collect-request.ts';
import { formatRows } from './row-format.ts';

const row = (rollout: string, more: Partial<TrainingRow> = {}): TrainingRow => ({
  schema: 'art.training-row.v1',
  row_id: `${rollout}-0`,
  session_id: rollout,
  rollout_id: rollout,
  group_id: 'r-5',
  row_index: 0,
  row_count: 1,
  is_last: true,
  token_ids: [1, 2, 3],
  prompt_length: 1,
  loss_mask: [1, 1],
  logprobs: [-1, -2],
  advantages: [0.5, 0.5],
  reward: 1,
  status: 'completed',
  finish_reason: 'stop',
  num_turns: 1,
  turn_spans: [{ trace_id: 't', start: 0, end: 2, weight_version: 3 }],
  model: 'm',
  created_at: 0,
  metadata: {},
  ...more,
});

// The second member forked: two rows, the reward on the last one.
const rows = [
  row('a'),
  row('b', { row_count: 2, is_last: false, reward: null }),
  row('b', { row_index: 1, row_count: 2 }),
];

function format(rowFormat: RowFormat): unknown {
  const request = { rowFormat, rolloutsPerInput: 4, envName: 'sums', padTokenId: 9 };
  return formatRows(rows, { request, groupIndex: 5, rowMembers: [0, 2, 2] });
}

it('gives each trainer its shape', () => {
  expect(format('art')).toEqual(rows);
  expect(format('trl')).toMatchObject({
    logprobs: [
      [-1, -2],
      [-1, -2],
      [-1, -2],
    ],
    reward: [1, null, 1],
  });
  expect(format('verl')).toMatchObject(rows.map(() => ({ response_ids: [2, 3], reward_score: 1 })));
  expect(format('slime')).toMatchObject([20, 22, 22].map((index) => ({ index, group_index: 5 })));
  expect(format('prime-rl')).toMatchObject(rows.map(() => ({ env_name: 'sums', advantages: [0, 0.5, 0.5] })));
  expect(format('tinker')).toMatchObject(
    rows.map(() => ({ loss_fn_inputs: { advantages: { data: [0.5, 0.5] } } })),
  );
  expect(format('sagemaker')).toMatchObject(
    rows.map(() => ({ lossFnInputs: { weights: { data: [1, 1] } } })),
  );
});

it('makes one trajectory of all rows of a member for rllm', () => {
  expect(format('rllm')).toMatchObject([
    { reward: 1, steps: [{ done: true }] },
    { reward: 1, steps: [{ done: false }, { done: true, reward: 1 }] },
  ]);
});
