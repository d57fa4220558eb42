import { expect, it } from 'vitest';
import { bed, run } from './loop-bed.fixture.ts';
import { echoGame, echoTasks, type Game } from './scripted-rollouts.fixture.ts';

/** Only keys 0 and 1 can teach. */
const game = (input: object): Game => ({
  ...echoGame(input),
  ...((input as { key: number }).key > 1 && { reward: (): number => 1 }),
});
const tasks = [...echoTasks, ...echoTasks.slice(2), ...echoTasks.slice(2), ...echoTasks.slice(2)];
const given = {
  game,
  tasks,
  steps: 30,
  groupsPerStep: 3,
  klCoefficient: 0,
  maxRefilledGroups: 0,
  minTrainedGroups: 1,
  learningRate: 0.001,
  guards: { maxStepsWithoutSpread: 1_000, checkUpdateEverySteps: 0 },
};

it('a run draws tasks by how much they teach, writes down which, and does not where it is asked not to', async () => {
  const trained = async (draw: 'teaching' | 'in_turn'): Promise<number> => {
    const { options, client } = await bed({ ...given, draw });
    const steps = await run(options);
    expect(steps.flatMap(({ drawn }) => drawn.map(({ task }) => tasks[task]))).toEqual(client.started);
    for (const { drawn, reward } of steps)
      expect(drawn.reduce((sum, task) => sum + task.reward!, 0) / 3).toBeCloseTo(reward!, 12);
    return steps.reduce((sum, { groups }) => sum + groups.trained, 0);
  };
  expect(await trained('teaching')).toBeGreaterThan(1.5 * (await trained('in_turn')));
});

it('a run that is gone on with draws by the record of the steps before', async () => {
  const whole = await bed({ ...given, draw: 'teaching' });
  const all = await run(whole.options);
  const first = await bed({ ...given, draw: 'teaching', steps: 15 });
  await run(first.options);
  const second = await bed({ ...given, draw: 'teaching', directory: first.directory });
  const rest = await run(second.options);
  expect(rest[0]!.drawn.map(({ task }) => task)).toEqual(all[15]!.drawn.map(({ task }) => task));
});

it('a mixture has the names of its parts in the metrics, and one that is none is refused', async () => {
  const { options } = await bed({
    steps: 8,
    tasks: {
      often: { weight: 3, tasks: echoTasks.slice(0, 3) },
      seldom: { weight: 1, tasks: echoTasks.slice(3) },
    },
  });
  const drawn = (await run(options)).flatMap((step) => step.drawn);
  const often = drawn.filter(({ part }) => part === 'often');
  expect(often.length).toBeGreaterThan(drawn.length / 2);
  expect(often.every(({ task }) => task < 3)).toBe(true);
  for (const wrong of [{}, { one: { weight: 0, tasks: echoTasks } }, { one: { weight: 1, tasks: [] } }, []])
    await expect(run({ ...options, tasks: wrong })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});
