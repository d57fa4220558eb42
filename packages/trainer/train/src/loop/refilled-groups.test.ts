import { expect, it } from 'vitest';
import { bed, run } from './loop-bed.fixture.ts';
import { echoGame, type Game } from './scripted-rollouts.fixture.ts';

/** Groups of which only every n-th has two different rewards. */
const sparse =
  (every: number) =>
  (input: object, index: number): Game => ({
    ...echoGame(input),
    ...(index % every !== 0 && { reward: (): number => 0.5 }),
  });
const guards = { maxStepsWithoutSpread: 1_000, checkUpdateEverySteps: 0 };

it('a step is never made of one group: others are taken in place of those without spread', async () => {
  const { options, client } = await bed({ steps: 8, klCoefficient: 0, guards, game: sparse(5) });
  const steps = await run(options);
  for (const { groups, rows } of steps) {
    expect(groups.trained).not.toBe(1);
    expect(rows).toBe(groups.trained * 16);
  }
  const refilled = steps.reduce((sum, { groups }) => sum + groups.refilled, 0);
  expect(refilled).toBeGreaterThan(0);
  expect(client.started).toHaveLength(8 * 6 + refilled);
});

it('as large as the others where that is asked for', async () => {
  const given = { minTrainedGroups: 6, maxRefilledGroups: 60, groupsPerStep: 6 };
  const { options } = await bed({ steps: 4, klCoefficient: 0, guards, game: sparse(2), ...given });
  for (const { groups } of await run(options)) expect(groups.trained).toBe(6);
});

it('within a bound: what is too little then waits for the next step, and is trained once', async () => {
  const { options, directory } = await bed({
    steps: 10,
    klCoefficient: 0,
    guards,
    game: sparse(9),
    maxRefilledGroups: 1,
    checkpointEverySteps: 1,
  });
  const steps = await run(options);
  const trained = steps.filter(({ rows }) => rows > 0);
  expect(steps.length - trained.length).toBeGreaterThan(0);
  expect(trained.length).toBeGreaterThan(0);
  for (const { rows } of trained) expect(rows).toBeGreaterThanOrEqual(2 * 16);
  // The data behind the last checkpoint was not skipped.
  const again = await bed({ steps: 11, directory, klCoefficient: 0, guards, game: sparse(9) });
  expect(await run(again.options)).toHaveLength(1);
});

it('takes none where all teach', async () => {
  const { options, client } = await bed({ steps: 3 });
  expect((await run(options)).map(({ groups }) => groups.refilled)).toEqual([0, 0, 0]);
  expect(client.started).toHaveLength(18);
});
