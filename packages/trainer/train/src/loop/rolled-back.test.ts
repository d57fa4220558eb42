import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import type { TrainOptions } from '../run/train-options.ts';
import { ServedPolicy } from '../sampling/served-policy.ts';
import { bed, run } from './loop-bed.fixture.ts';
import { echoGame, echoTasks, playedAgent } from './scripted-rollouts.fixture.ts';
import { train } from './train.ts';

/** A run whose held-out scores are these, one for each measurement, and 0 behind them. */
async function scored(scores: readonly number[], given: Partial<TrainOptions> = {}) {
  let measured = 0;
  const policy = new ServedPolicy();
  const agent = playedAgent(policy, (input) => ({
    ...echoGame(input),
    reward: (): number => scores[Math.floor(measured++ / echoTasks.length)] ?? 0,
  }));
  const tasks = echoTasks.map((payload) => ({ id: `t${payload.key}`, payload }));
  const made = await bed({
    steps: 8,
    checkpointEverySteps: 1,
    evaluation: { agent, policy, tasks, everySteps: 1 },
    rollBack: { drop: 0.3, evaluations: 2 },
    ...given,
  });
  const lines = async (name: string): Promise<Record<string, unknown>[]> =>
    (await readFile(join(made.directory, name), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...made, lines };
}

it('a run whose score falls twice goes back to its best version by itself, and makes the steps behind it anew', async () => {
  const { options, lines, register } = await scored([0.2, 0.4, 0.9, 0.5, 0.5, 0.9, 0.9, 0.9, 0.9, 0.9]);
  const steps = await run(options);
  const back = steps.findIndex(({ goesBackTo }) => goesBackTo !== undefined);
  expect(steps[back]!.goesBackTo).toBe(2);
  expect(steps[back + 1]!.step).toBe(3);
  expect(steps.at(-1)).toMatchObject({ step: 8, end: { reason: 'steps' } });
  expect(steps.filter(({ goesBackTo }) => goesBackTo !== undefined)).toHaveLength(1);
  const checkpoints = (await lines('checkpoints.jsonl')).filter(({ event }) => event === 'checkpoint');
  const again = checkpoints.filter(({ wentBack }) => wentBack === 'fell');
  expect(again).toHaveLength(1);
  // The data continues behind what was trained.
  expect(again[0]).toMatchObject({ step: 2, position: steps[back]!.step * 6 });
  expect((await lines('metrics.jsonl')).map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(register.open()).toEqual([]);
});

it.each(
  shortlist(
    [
      ['one fall', [0.2, 0.9, 0.5, 0.9, 0.5, 0.9, 0.5, 0.9, 0.9]],
      ['falls within the bound', [0.2, 0.9, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7]],
    ],
    1,
  ),
)('%s is no reason', async (_what, scores) => {
  const { options } = await scored(scores);
  const steps = await run(options);
  expect(steps.map(({ goesBackTo }) => goesBackTo)).toEqual(steps.map(() => undefined));
  expect(steps).toHaveLength(8);
});

it('as often as it may, over processes: the next fall ends the run', async () => {
  const { options, directory } = await scored([0.2, 0.9], { rollBack: { drop: 0.3, times: 2 }, steps: 30 });
  const steps = await run(options);
  expect(steps.filter(({ goesBackTo }) => goesBackTo === 1)).toHaveLength(2);
  expect(steps.at(-1)!.end).toMatchObject({
    reason: 'no_progress',
    message: expect.stringContaining('fell again') as string,
  });
  const notices: string[] = [];
  const onNotice = (notice: string): void => void notices.push(notice);
  const again = await scored([], { rollBack: { drop: 0.3, times: 2 }, steps: 30, directory, onNotice });
  expect(await run(again.options)).toEqual([]);
  expect(notices.join()).toContain('was over: The score fell again');
});

it('a process that was killed as it was to go back is followed by one that does', async () => {
  const { options, directory } = await scored([0.2, 0.9], { rollBack: { drop: 0.3 } });
  for await (const { goesBackTo } of train(options)) if (goesBackTo !== undefined) break;
  const next = await scored([0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9], { directory, rollBack: { drop: 0.3 } });
  expect((await run(next.options))[0]!.step).toBe(2);
});

it('is refused without held-out tasks', async () => {
  const { options } = await bed({ rollBack: { drop: 0.1 } });
  await expect(run(options)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
});

it('a version whose gain is decided is measured on fewer tasks, and compared by those that both have', async () => {
  const policy = new ServedPolicy();
  let version = 0;
  const use = policy.use.bind(policy);
  policy.use = (...given) => {
    version = given[2];
    use(...given);
  };
  let asked = 0;
  // Version 1 gains all, version 2 every other one, version 3 nothing.
  const gains = [0, 1, 0.5, 0];
  const agent = playedAgent(policy, (input) => ({
    ...echoGame(input),
    reward: (): number => Number(((asked += 1) * (gains[version] ?? 0)) % 1 === 0 && version % 3 > 0),
  }));
  const tasks = Array.from({ length: 60 }, (_, at) => ({
    id: `t${at}`,
    payload: echoTasks[at % echoTasks.length]!,
  }));
  const evaluation = { agent, policy, tasks, everySteps: 1, concurrency: 1, until: 'difference > 0' };
  const { options, lines } = await scored([], { steps: 3, evaluation, rollBack: undefined });
  const measured = (await run(options)).flatMap(({ evaluations }) => evaluations);
  expect(measured.map(({ score, isBest }) => [score! > 0.4, isBest])).toEqual([
    [false, true],
    [true, true],
    [true, false],
    [false, false],
  ]);
  const [all, short, longer, none] = measured.map(({ tasks: count }) => count!);
  expect([all, none]).toEqual([60, 60]);
  expect(short).toBeLessThan(longer!);
  expect(longer).toBeLessThan(60);
  const [, , half, nothing] = (await lines('checkpoints.jsonl')).filter(
    ({ event }) => event === 'evaluation',
  );
  expect(half!['fromBest']).toBeCloseTo(-0.5, 0);
  expect(nothing!['fromBest']).toBe(-1);
});

it('a score that ends the run is not one of fewer tasks', async () => {
  const policy = new ServedPolicy();
  const evaluation = { agent: playedAgent(policy, echoGame), policy, tasks: echoTasks, everySteps: 1 };
  for (const [until, message] of [
    ['difference > 0', /stopWhen.score.*left out beside/],
    ['mean > 0.5', /difference > 0/],
  ] as const) {
    const { options } = await scored([], { evaluation: { ...evaluation, until }, stopWhen: { score: 1 } });
    await expect(run(options)).rejects.toThrow(message);
  }
});
