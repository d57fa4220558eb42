import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { bed, run } from '../loop/loop-bed.fixture.ts';
import { echoGame, type Game } from '../loop/scripted-rollouts.fixture.ts';
import type { TrainOptions } from '../run/train-options.ts';
import { UpdateGuard } from './update-guard.ts';
import { type StepRow, submitted, type TrainingSteps, type WeightsRef } from '../steps/index.ts';

type Change = (rows: readonly StepRow[]) => StepRow[];

/** A service that does something else than it was asked to, and tells nobody. */
function sick(
  { service, ...options }: TrainOptions,
  make: (steps: TrainingSteps) => Partial<TrainingSteps>,
): TrainOptions {
  const open: typeof service.open = async (session) => {
    const steps = await service.open(session);
    return Object.assign(steps, make(steps));
  };
  return { ...options, service: { ...service, open } };
}

/** Answers for the rows that it was given, and trains on others. */
const training = (change: Change) => (steps: TrainingSteps) => {
  const pass = steps.forwardBackward.bind(steps);
  return { forwardBackward: (rows: readonly StepRow[], loss: never) => pass(change(rows), loss) };
};

const turned: Change = (rows) =>
  rows.map((row) => ({ ...row, advantages: row.advantages!.map((advantage) => -advantage) }));
const halved: Change = (rows) =>
  rows.map((row, at) => (at < rows.length / 2 ? { ...row, advantages: row.advantages!.map(() => 0) } : row));
/** The advantages of rows of another session. */
const mixed: Change = (rows) =>
  rows.map((row, at) => {
    const others = rows[(at * 37 + 11) % rows.length]!.advantages!;
    return { ...row, advantages: row.advantages!.map((_, token) => others[token] ?? 0) };
  });

/** Saves, and continues with the weights that it had. */
const unserved = (steps: TrainingSteps) => {
  const save = steps.saveForSampling.bind(steps);
  let first: Promise<WeightsRef> | undefined;
  return {
    saveForSampling: (name: string, given: { keep: boolean }) =>
      submitted((first ??= save(name, { ...given, keep: true }).result())),
  };
};

// What the other guards see by themselves must not be what ends the run.
const guards = { maxLogprobGap: 100, maxStepsWithoutSpread: 1_000 };

it.each([
  ['advantages are turned around', training(turned), 2, /sum of advantage times change/],
  ['rows of another session train', training(mixed), 40, /sum of advantage times change/],
  [
    'half of each pass is lost',
    training(halved),
    40,
    /the first half of them hardly moved|sum of advantage times change/,
  ],
  ['the new weights are not those that answer', unserved, 2, /same before and behind/],
] as const)('names it within forty steps where %s', async (_name, make, within, message) => {
  const notSeen: number[] = [];
  for (const seed of shortlist([1, 2, 3], 1)) {
    const { options } = await bed({ seed, steps: 40, klCoefficient: 0, guards });
    const failure = await run(sick(options, make)).then(
      () => undefined,
      (error: unknown) => error as { code: string; message: string },
    );
    expect(failure?.code).toMatch(/ART_TRAIN_(WRONG_WAY|LOGPROB_GAP)/);
    if (failure?.code !== 'ART_TRAIN_WRONG_WAY') continue;
    expect(failure.message).toMatch(message);
    if (Number(/step (\d+)/.exec(failure.message)![1]) > within) notSeen.push(seed);
  }
  expect(notSeen).toEqual([]);
});

it.each(
  shortlist(
    [
      [0.01, {}],
      [0.001, {}],
      [0.01, { klCoefficient: 0.05, maxStepsOffPolicy: 1 }],
      [0.01, { average: 'sequence', loss: { name: 'importance_sampling' } }],
    ],
    2,
  ),
)('says nothing of runs that are right (rate %d, %o)', async (learningRate, given) => {
  for (const seed of shortlist([1, 2], 1)) {
    const { options } = await bed({ seed, steps: 40, learningRate, klCoefficient: 0, ...given });
    const steps = await run({ ...options, guards: { maxStepsWithoutSpread: 1_000 } });
    expect(steps).toHaveLength(40);
    expect(steps[0]!.update).toMatchObject({ gain: expect.any(Number) as number, rows: 12 });
    expect(steps[0]!.update!.gain).toBeGreaterThan(0);
  }
});

it('nor of one that has learnt all that it can, where the optimizer continues by what it remembers', async () => {
  const game = (input: object): Game => ({
    ...echoGame(input),
    maxTokens: 3,
    reward: (said) =>
      said.length === 3 && said.every((token) => token === (input as { key: number }).key) ? 1 : 0,
  });
  const { options } = await bed({ game, seed: 2, steps: 68, guards: { maxStepsWithoutSpread: 1_000 } });
  const steps = await run(options);
  expect(steps).toHaveLength(68);
  expect(steps.filter(({ update }) => update !== undefined).length).toBeGreaterThan(4);
});

it('costs what it asks, within the budget, and nothing where it is off', async () => {
  const spent = async (checkUpdateEverySteps: number): Promise<number> => {
    const { options } = await bed({ steps: 1, klCoefficient: 0, guards: { checkUpdateEverySteps } });
    return (await run(options)).at(-1)!.spent.promptTokens;
  };
  const [on, off] = [await spent(1), await spent(0)];
  // 96 rollouts with a prompt of three tokens; twelve rows of four or five tokens, twice.
  expect(off).toBe(96 * 3);
  expect(on - off).toBeGreaterThanOrEqual(12 * 2 * 4);
  expect(on - off).toBeLessThanOrEqual(12 * 2 * 5);
});

it.each(shortlist([0.003, 0.0003], 1))(
  'a sampler that is one step behind is named at a rate of %d',
  async (learningRate) => {
    const { options } = await bed({
      steps: 40,
      klCoefficient: 0,
      learningRate,
      loss: { name: 'importance_sampling' },
    });
    const behind = (steps: TrainingSteps): Partial<TrainingSteps> => {
      const sample = steps.sample.bind(steps);
      const save = steps.saveForSampling.bind(steps);
      const saved: WeightsRef[] = [];
      return {
        saveForSampling: (name, given) =>
          submitted(
            save(name, given)
              .result()
              .then((weights) => (saved.push(weights), weights)),
          ),
        sample: (request, signal) => sample({ ...request, weights: saved.at(-2) ?? request.weights }, signal),
      };
    };
    const failure = await run(sick(options, behind)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'ART_TRAIN_LOGPROB_GAP',
      message: expect.stringMatching(/the sampler serves older weights than it says/i) as string,
    });
  },
);

it('logprobs that the service does not give are no step that went the wrong way', async () => {
  const guard = new UpdateGuard(1);
  const row = { tokens: [1], targets: [2], weights: [1], logprobs: [-1], advantages: [1] };
  const trained = { rows: [row], names: ['r'], fresh: [true] };
  const steps = { logprobs: () => Promise.resolve([null, null]) };
  const weights = { before: { name: 'a' }, after: { name: 'b' } } as never;
  for (let step = 1; step < 9; step += 1)
    expect(await guard.judge(trained, weights, { steps, step })).toBeUndefined();
});
