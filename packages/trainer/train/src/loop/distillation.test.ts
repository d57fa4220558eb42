import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { localService } from '../local/session/local-service.ts';
import type { TrainOptions } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';
import type { Teacher } from '../teacher/teacher.ts';
import { type BedOptions, bed, run } from './loop-bed.fixture.ts';
import { echoGame, echoShape, type Game } from './scripted-rollouts.fixture.ts';

/** "Say the key three times": a reward for all of it, which chance earns once in 729 times, or a third for each token. */
const spoken =
  (isAllOrNothing: boolean) =>
  (input: object): Game => {
    const { key } = input as { key: number };
    return {
      ...echoGame(input),
      maxTokens: 3,
      reward: (said) => {
        const right = said.filter((token) => token === key).length / 3;
        return isAllOrNothing ? Math.floor(right) : right;
      },
    };
  };
const sparse: BedOptions = {
  game: spoken(true),
  klCoefficient: 0.05,
  guards: { maxStepsWithoutSpread: 1_000 },
};
const next = (token: number): number => (token < 6 ? (token + 1) % 6 : token);

/** A teacher that has learnt by a reward for each token, behind a session of its own. */
async function trainedTeacher(seed: number): Promise<Teacher & { weights: string }> {
  const { options, directory } = await bed({ ...sparse, game: spoken(false), seed, steps: 60 });
  expect((await run(options)).at(-1)!.rewardOfTen).toBeGreaterThan(0.9);
  const folder = join(directory, 'saved', 'weights');
  const weights = join(folder, (await readdir(folder)).toSorted().at(-1)!);
  const service = localService({ shape: echoShape, seed: 1, directory });
  const session = await service.open({ name: 'teacher', note: () => Promise.resolve() });
  return {
    weights,
    logprobs: (tokens, signal) => session.logprobs(tokens, { weights }, signal),
  };
}

const meanOfLast = (steps: readonly TrainingStep[], count: number): number =>
  steps.slice(-count).reduce((sum, { reward }) => sum + reward!, 0) / count;

it.each(shortlist([3, 1, 2], 1))(
  "a policy reaches its teacher's reward in a quarter of the steps in which reward alone does not, and not with a shuffled teacher (seed %i)",
  async (seed) => {
    const teacher = await trainedTeacher(seed + 20);
    const distilled = async (given: Partial<TrainOptions>): Promise<TrainingStep[]> =>
      await run((await bed({ ...sparse, seed: seed + 50, klCoefficient: 0, steps: 20, ...given })).options);

    const alone = await run((await bed({ ...sparse, seed, steps: 80 })).options);
    expect(meanOfLast(alone, 3)).toBeLessThan(0.9);
    const taught = await distilled({ teacher });
    expect(meanOfLast(taught, 3)).toBeGreaterThan(0.9);
    console.log(
      `seed ${seed}: alone ${meanOfLast(alone, 3).toFixed(2)} after 80, taught ${meanOfLast(taught, 3).toFixed(2)} after 20`,
    );
    expect(taught.at(-1)!.klToTeacher).toBeLessThan(taught[0]!.klToTeacher! / 5);
    // Weights of the service are asked in the session that trains.
    const byName = await distilled({ teacher: { weights: teacher.weights } });
    expect(byName.map(({ reward }) => reward)).toEqual(taught.map(({ reward }) => reward));
    // It says of each answer what it would say of another.
    const shuffled: Teacher = {
      logprobs: (tokens, signal) =>
        teacher.logprobs([...tokens.slice(0, 3), ...tokens.slice(3).map(next)], signal),
    };
    expect(meanOfLast(await distilled({ teacher: shuffled }), 3)).toBeLessThan(0.2);
  },
);

it('questions to the teacher are in the budget', async () => {
  const asked: number[] = [];
  const teacher: Teacher = {
    logprobs: (tokens) => {
      asked.push(tokens.length);
      return Promise.resolve(tokens.map((_, at) => (at === 0 ? null : -1)));
    },
  };
  const given = { steps: 1, klCoefficient: 0, guards: { checkUpdateEverySteps: 0 } };
  const promptsOf = async (more: Partial<TrainOptions>): Promise<number> =>
    (await run((await bed({ ...given, ...more })).options))[0]!.spent.promptTokens;
  const without = await promptsOf({});
  expect((await promptsOf({ teacher })) - without).toBe(asked.reduce((sum, length) => sum + length, 0));
  expect(asked).toHaveLength(96);
  const tight = await bed({ ...given, steps: 5, teacher, stopWhen: { tokens: 700 } });
  expect((await run(tight.options)).at(-1)!.end).toMatchObject({ reason: 'budget' });
});

it.each([
  ['a null', (tokens: readonly number[]) => tokens.map(() => null), 'ART_TRAIN_NOT_FINITE'],
  ['too few', () => [null, -1], 'ART_TRAIN_NOT_FINITE'],
])('a teacher that gives %s ends the run before it trains', async (_what, answer, code) => {
  const { options } = await bed({
    steps: 2,
    teacher: { logprobs: (tokens) => Promise.resolve(answer(tokens)) },
  });
  await expect(run(options)).rejects.toMatchObject({ code });
});

it('a teacher that is neither is refused', async () => {
  const { options } = await bed({ teacher: { weight: 'x' } as never });
  await expect(run(options)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
