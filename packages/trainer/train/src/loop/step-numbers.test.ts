import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Group } from '@art/rollout';
import type { TrainingRow } from '@art/trajectories';
import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import type { TrainOptions } from '../run/train-options.ts';
import {
  type PassResult,
  type StepResult,
  type StepRow,
  submitted,
  type TrainingSteps,
} from '../steps/index.ts';
import { bed, run } from './loop-bed.fixture.ts';
import { echoGame } from './scripted-rollouts.fixture.ts';
import { train } from './train.ts';

const spoilt = (spoil: (row: TrainingRow) => TrainingRow) => (input: object) => ({
  ...echoGame(input),
  spoil,
});

it.each(shortlist([-9999, Number.NaN, 0.7, null, Number.NEGATIVE_INFINITY, -1e4, -100, -3.4e38], 3))(
  'a row with the logprob %s was not captured, and trains nothing',
  async (logprob) => {
    const notices: string[] = [];
    const game = spoilt((row) =>
      row.row_id === '2-3' ? { ...row, logprobs: [logprob as number, ...row.logprobs.slice(1)] } : row,
    );
    const { options } = await bed({ steps: 2, game, onNotice: (told) => notices.push(told) });
    const [first, second] = await run(options);
    expect(first).toMatchObject({ rows: 95, withoutRows: 1 });
    expect(first!.logprobGap).toBe(0);
    expect(second).toMatchObject({ rows: 96, withoutRows: 0 });
    expect(notices).toEqual([expect.stringMatching(/Token 0 .* row "2-3" has the logprob/)]);
  },
);

it('is refused where nothing else was captured, with the reason', async () => {
  const game = spoilt((row) => ({ ...row, logprobs: row.logprobs.map(() => -9999) }));
  const { options } = await bed({ game });
  await expect(run(options)).rejects.toMatchObject({
    code: 'ART_TRAIN_NOTHING_CAPTURED',
    message: expect.stringContaining('-9999') as string,
  });
});

/** A service that answers otherwise than it does. */
function answering(
  { service, ...options }: TrainOptions,
  change: {
    pass?: (told: PassResult, rows: readonly StepRow[]) => PassResult;
    step?: (told: StepResult) => StepResult;
  },
): TrainOptions {
  const open: typeof service.open = async (session) => {
    const steps = await service.open(session);
    const { pass = (told) => told, step = (told) => told } = change;
    const forwardBackward = steps.forwardBackward.bind(steps);
    const optimStep = steps.optimStep.bind(steps);
    const changed: Pick<TrainingSteps, 'forwardBackward' | 'optimStep'> = {
      forwardBackward: (rows, loss) =>
        submitted(
          forwardBackward(rows, loss)
            .result()
            .then((told) => pass(told, rows)),
        ),
      optimStep: (adam) => submitted(optimStep(adam).result().then(step)),
    };
    return Object.assign(steps, changed);
  };
  return { ...options, service: { ...service, open } };
}

it('a logprob of a pass that is no number ends the step with the name of its row', async () => {
  // Known again by its advantage, wherever in the pass it is.
  const game = spoilt((row) =>
    row.row_id === '2-5' ? { ...row, advantages: row.advantages!.map(() => -1e30) } : row,
  );
  const { options, announced } = await bed({ game, klCoefficient: 0 });
  const pass = (told: PassResult, rows: readonly StepRow[]): PassResult => {
    const spoiltAt = rows.findIndex(({ advantages }) => advantages?.some((advantage) => advantage < -1e20));
    const logprobs = told.logprobs!.map((row, at) => (at === spoiltAt ? row.map(() => Number.NaN) : row));
    return { ...told, logprobs };
  };
  await expect(run(answering(options, { pass }))).rejects.toMatchObject({
    code: 'ART_TRAIN_NOT_FINITE',
    message: expect.stringMatching(/row "2-5": NaN/) as string,
  });
  expect(announced).toEqual([0]);
});

it.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'a gradient of the norm %s ends the step with the name of the row that weighs most',
  async (norm) => {
    const game = spoilt((row) =>
      row.row_id === '1-7' ? { ...row, advantages: row.advantages!.map(() => -1e30) } : row,
    );
    const { options, announced } = await bed({ game, klCoefficient: 0 });
    await expect(
      run(answering(options, { step: () => ({ metrics: { 'actor/grad_norm': norm } }) })),
    ).rejects.toMatchObject({
      code: 'ART_TRAIN_NOT_FINITE',
      message: expect.stringMatching(
        /grad_norm: (NaN|Infinity)\. The row that weighs most is "1-7"/,
      ) as string,
    });
    expect(announced).toEqual([0]);
  },
);

it('cross_entropy is not offered: it trains on bad answers as on good ones', async () => {
  const { options } = await bed({ loss: { name: 'cross_entropy' } as never });
  expect(() => train(options)).toThrow(/importance_sampling, ppo or cispo/);
});

it('rows older than maxVersionLag are left out, and counted', async () => {
  const slow = Promise.withResolvers<void>();
  const { options } = await bed({
    steps: 6,
    maxStepsOffPolicy: 1,
    maxVersionLag: 0,
    game: (input, index) => ({
      ...echoGame(input),
      // Sampled by the first weights, and done much later.
      ...(index === 2 && { spoil: (row: TrainingRow) => row, pause: () => slow.promise }),
    }),
  });
  let stale = 0;
  for await (const { step, lag, staleRows } of train(options)) {
    expect(lag?.most ?? 0).toBe(0);
    stale += staleRows;
    if (step === 3) slow.resolve();
  }
  expect(stale).toBeGreaterThan(0);
});

it('rows are let go once they have trained, long before a checkpoint', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { options, client } = await bed({ steps: 6, checkpointEverySteps: 100 });
  const rows: WeakRef<TrainingRow>[] = [];
  const acknowledge = (): Promise<void> => Promise.resolve();
  async function* seen(...given: Parameters<typeof client.runGroups>): AsyncGenerator<Group<object>> {
    for await (const group of client.runGroups(...given)) {
      const held = await group.rows();
      rows.push(...held.rows.map((row) => new WeakRef(row)));
      yield { ...group, acknowledge, rows: () => Promise.resolve(held) };
    }
  }
  const source = { runGroups: seen } as unknown as TrainOptions['client'];
  for await (const { step } of train({ ...options, client: source })) {
    if (step < 5) continue;
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    // Of the five steps before at most the last one is still in somebody's hands.
    expect(rows.slice(0, 3 * 96).filter((row) => row.deref() !== undefined)).toEqual([]);
  }
});
