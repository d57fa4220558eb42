import { expect, it } from 'vitest';
import { chunkRows } from './chunk-rows.ts';
import { joinPasses } from './join-passes.ts';

const row = (length: number) => {
  const list = Array.from({ length }, () => 0);
  return { tokens: list, targets: list, weights: list };
};

it('cuts rows into requests by their number and by their size, in order', () => {
  const rows = [row(4), row(4), row(4), row(30), row(1)];
  const limits = { rows: 2, bytes: 100, bytesPerToken: 10 };
  expect(chunkRows(rows, limits).map((chunk) => chunk.map(({ tokens }) => tokens.length))).toEqual([
    [4, 4],
    [4],
    [30],
    [1],
  ]);
  expect(chunkRows([], limits)).toEqual([]);
});

it('joins what requests gave: sums are added, the last norm counts, the rest is a mean by row', () => {
  const joined = joinPasses([
    {
      rows: [row(1), row(1), row(1)],
      logprobs: [[-1], [-2], [-3]],
      metrics: { 'loss:sum': 2, kl: 1, 'actor/grad_norm': 5, note: 'x' },
    },
    { rows: [row(2)], logprobs: [[-4, -5]], metrics: { 'loss:sum': 3, kl: 5, 'actor/grad_norm': 7 } },
  ]);
  expect(joined).toEqual({
    metrics: { 'loss:sum': 5, kl: 2, 'actor/grad_norm': 7 },
    answeredRows: 4,
    logprobs: [[-1], [-2], [-3], [-4, -5]],
  });
});

it('takes the outermost of extremes, and a mean over the rows that have one', () => {
  const part = { logprobs: [], metrics: { 'kl:max': 1, 'kl:min': 1 } };
  const { metrics } = joinPasses([
    { ...part, rows: [row(1)] },
    { ...part, rows: [row(1), row(1)], metrics: { 'kl:max': 3, 'kl:min': -1, entropy: 6 } },
    { ...part, rows: [row(1)], metrics: { 'kl:max': 2, 'kl:min': 0, entropy: 3 } },
  ]);
  expect(metrics).toEqual({ 'kl:max': 3, 'kl:min': -1, entropy: 5 });
});

it('has no logprobs where one row has none, or too few, and says how many rows were told of', () => {
  const part = { rows: [row(2)], metrics: undefined };
  const whole = { ...part, logprobs: [[-1, -2]] };
  expect(joinPasses([{ ...part, logprobs: [undefined] }])).toEqual({ metrics: {}, answeredRows: 1 });
  expect(joinPasses([{ ...part, logprobs: [] }])).toEqual({ metrics: {}, answeredRows: 0 });
  expect(joinPasses([whole, { ...part, logprobs: [[-1]] }])).toEqual({ metrics: {}, answeredRows: 1 });
  expect(joinPasses([whole, { ...part, logprobs: [] }])).toEqual({ metrics: {}, answeredRows: 1 });
});
