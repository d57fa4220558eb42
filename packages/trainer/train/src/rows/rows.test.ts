import { expect, it } from 'vitest';
import type { TrainingRow } from '@art/trajectories';
import type { StepRow } from '../steps/index.ts';
import { averageLoss } from './average-loss.ts';
import { addReverseKl, scaleAdvantages } from './reverse-kl.ts';
import { measureLag } from './measure-lag.ts';
import { toStepRow } from './to-step-row.ts';

function row(parts: Partial<TrainingRow>): TrainingRow {
  return {
    schema: 'art.training-row.v1',
    row_id: 'r',
    session_id: 's',
    rollout_id: 'r',
    group_id: null,
    row_index: 0,
    row_count: 1,
    is_last: true,
    token_ids: [10, 11, 12, 13, 14],
    prompt_length: 2,
    loss_mask: [1, 0, 1],
    logprobs: [-1, 0, -3],
    advantages: [0.5, 0, 0.5],
    reward: 1,
    status: 'completed',
    finish_reason: 'stop',
    num_turns: 1,
    turn_spans: [],
    model: 'm',
    created_at: 0,
    metadata: {},
    ...parts,
  };
}

it('a row becomes what the model reads, and behind each token its target', () => {
  expect(toStepRow(row({}))).toEqual({
    tokens: [10, 11, 12, 13],
    targets: [11, 12, 13, 14],
    weights: [0, 1, 0, 1],
    logprobs: [0, -1, 0, -3],
    advantages: [0, 0.5, 0, 0.5],
  });
});

it.each([
  ['token', [0.5 / 3, 0.5 / 3, 2 / 3]],
  ['sequence', [0.5 / 4, 0.5 / 4, 2 / 2]],
] as const)(
  'the sum over all rows is a mean by %s, and a row without trained tokens changes nothing',
  (average, expected) => {
    const one = toStepRow(row({}));
    const other: StepRow = { tokens: [1], targets: [2], weights: [1], logprobs: [-1], advantages: [2] };
    const idle: StepRow = { tokens: [1], targets: [2], weights: [0], logprobs: [0], advantages: [0] };
    const scaled = averageLoss([one, other, idle], average);
    const advantages = scaled.flatMap(({ weights, advantages: own }) =>
      own!.filter((_, at) => weights[at] !== 0),
    );
    for (const [at, value] of advantages.entries()) expect(value).toBeCloseTo(expected[at]!, 12);
    expect(scaled.map(({ weights }) => weights)).toEqual([one.weights, other.weights, idle.weights]);
  },
);

it('a step is the same however it is cut into requests: each row has its factor by itself', () => {
  const rows = [row({}), row({ loss_mask: [1, 1, 1] }), row({ loss_mask: [0, 0, 1] })].map(toStepRow);
  const whole = averageLoss(rows, 'token');
  const [first, ...others] = whole;
  expect([first, ...others]).toEqual(whole);
  expect(whole[0]!.advantages![1]).toBeCloseTo(0.5 / 6, 12);
});

it('tokens that became likelier than under the base model pay, the others are paid, and nothing is added in sum', async () => {
  const base = { name: 'base model', logprobs: () => Promise.resolve([null, -9, -2, -9, -2]) };
  const { rows, kl } = await addReverseKl([toStepRow(row({}))], ['r'], 0.1, base);
  // They were sampled at -1 and -3, and are at -2 under the base model: differences 1 and -1.
  expect(kl).toBeCloseTo(0, 12);
  expect(rows[0]!.advantages).toEqual([0, 0.5 - 0.1, 0, 0.5 + 0.1]);
  expect(await addReverseKl([toStepRow(row({}))], ['r'], 0.1, undefined)).toMatchObject({ kl: undefined });
});

it.each([null, -Infinity, -9999, undefined])(
  'a logprob of the base model that is %s is no certainty',
  async (logprob) => {
    const base = {
      name: 'base model',
      logprobs: () => Promise.resolve([null, -9, -2, -9, logprob as null]),
    };
    const penalised = addReverseKl([toStepRow(row({}))], ['the row'], 0.1, base);
    await expect(penalised).rejects.toMatchObject({
      code: 'ART_TRAIN_NOT_FINITE',
      message: expect.stringMatching(/token 3 of row "the row", got/) as string,
    });
  },
);

it('the lag is counted by token, by the oldest of a row, and not where it was not observed', () => {
  const span = (start: number, end: number, version: number | null) => ({
    trace_id: 't',
    start,
    end,
    weight_version: version,
  });
  const fresh = row({ turn_spans: [span(0, 3, 7)] });
  const mixed = row({ turn_spans: [span(0, 1, 5), span(2, 3, 7)] });
  expect(measureLag([fresh, mixed], 7)).toEqual({ mean: 0.5, most: 2, mixedRows: 0.5 });
  expect(measureLag([fresh, row({ turn_spans: [span(0, 3, null)] })], 7)).toBeUndefined();
  const within = row({
    loss_mask: [1, 1, 1],
    turn_spans: [
      span(0, 1, 6),
      {
        ...span(1, 3, 6),
        weight_versions: [
          { version: '6', start: 1, end: 2 },
          { version: '7', start: 2, end: 3 },
        ],
      },
    ],
  });
  expect(measureLag([within], 7)).toEqual({ mean: 2 / 3, most: 1, mixedRows: 1 });
});

it('a teacher alone leaves nothing of rewards; beside them each has its weight', async () => {
  const teacher = { name: 'teacher', logprobs: () => Promise.resolve([null, -9, -2, -9, -2]) };
  const advantages = async (reward: number): Promise<unknown> => {
    const { rows } = await addReverseKl(scaleAdvantages([toStepRow(row({}))], reward), ['r'], 2, teacher);
    return rows[0]!.advantages;
  };
  expect(await advantages(0)).toEqual([0, -2, 0, 2]);
  expect(await advantages(3)).toEqual([0, 1.5 - 2, 0, 1.5 + 2]);
});
