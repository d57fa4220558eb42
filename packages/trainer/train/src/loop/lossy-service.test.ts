import { expect, it } from 'vitest';
import type { TrainOptions } from '../run/train-options.ts';
import {
  type Loss,
  type PassResult,
  type StepRow,
  submitted,
  type TrainingService,
  type TrainingSteps,
} from '../steps/index.ts';
import { bed, run } from './loop-bed.fixture.ts';

/** Runs a pass of which the service loses a part. */
type Lose = (
  pass: TrainingSteps['forwardBackward'],
  rows: readonly StepRow[],
  loss: Loss,
) => Promise<PassResult>;

const loseHalf: Lose = async (pass, rows, loss) => {
  const { metrics } = await pass(rows.slice(0, rows.length / 2), loss).result();
  return { metrics, answeredRows: rows.length / 2 };
};

const loseGradient: Lose = async (pass, rows, loss) => {
  const { metrics, logprobs } = await pass(rows.map(withoutAdvantages), loss).result();
  return { metrics, logprobs, answeredRows: rows.length };
};

const withoutAdvantages = (row: StepRow): StepRow => ({ ...row, advantages: row.advantages!.map(() => 0) });

function lossy(options: TrainOptions, lose: Lose): TrainOptions {
  const { service } = options;
  const open: TrainingService['open'] = async (session) => {
    const steps = await service.open(session);
    const pass = steps.forwardBackward.bind(steps);
    return Object.assign(steps, {
      forwardBackward: (rows: readonly StepRow[], loss: Loss) => submitted(lose(pass, rows, loss)),
    });
  };
  return { ...options, service: { ...service, open } };
}

it.each([
  ['the rows of a lost request have no answer', 'got an answer for 48', loseHalf],
  ['a lost pass is answered as if it had been made', 'got a norm of 0', loseGradient],
] as const)('is refused where %s, before the weights are served', async (_name, message, lose) => {
  const notices: string[] = [];
  const { options, announced } = await bed({ onNotice: (notice) => notices.push(notice) });
  await expect(run(lossy(options, lose))).rejects.toMatchObject({
    code: 'ART_TRAIN_PASS_INCOMPLETE',
    message: expect.stringContaining(message) as string,
  });
  expect(announced).toEqual([0]);
  expect(notices).toEqual([]);
});

it('is refused where a service that told logprobs stops to, and says once where it never did', async () => {
  const notices: string[] = [];
  const { options } = await bed({ steps: 3, onNotice: (notice) => notices.push(notice) });
  const silent: Lose = async (pass, rows, loss) => {
    const { metrics } = await pass(rows, loss).result();
    return { metrics, answeredRows: 0 };
  };
  const steps = await run(lossy(options, silent));
  expect(steps.map(({ logprobGap }) => logprobGap)).toEqual([undefined, undefined, undefined]);
  expect(notices).toEqual([expect.stringContaining('gap between sampler and trainer is not observed')]);

  let passes = 0;
  const later: Lose = (pass, rows, loss) =>
    passes++ === 0 ? pass(rows, loss).result() : silent(pass, rows, loss);
  const second = await bed({ steps: 3 });
  await expect(run(lossy(second.options, later))).rejects.toMatchObject({
    code: 'ART_TRAIN_PASS_INCOMPLETE',
    message: expect.stringMatching(/step 2, got an answer for 0/) as string,
  });
});
