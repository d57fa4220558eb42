import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ServedPolicy } from '../sampling/served-policy.ts';
import { bed, type BedOptions, run } from './loop-bed.fixture.ts';
import { echoGame, echoTasks, type Game, playedAgent } from './scripted-rollouts.fixture.ts';
import { train } from './train.ts';

async function linesOf(directory: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(directory, name), 'utf8');
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
}

/** A run that measures each version, by its own game. */
async function measuredBed(given: BedOptions & { judged?: (input: object) => Game }) {
  const measured = new ServedPolicy({ temperature: 0 });
  const evaluation = {
    agent: playedAgent(measured, given.judged ?? echoGame),
    policy: measured,
    tasks: echoTasks,
    everySteps: 1,
  };
  const { judged: _judged, ...options } = given;
  return await bed({ evaluation, checkpointEverySteps: 4, ...options });
}

/** Makes steps up to `last`, and leaves as a process that is killed does: without a checkpoint of it. */
async function breakOff(options: Parameters<typeof train>[0], last: number): Promise<void> {
  for await (const { step } of train(options)) if (step === last) break;
}

it('a step that is made again after a crash has its own score, in its own folder', async () => {
  const first = await measuredBed({ steps: 8 });
  await breakOff(first.options, 6);
  const second = await measuredBed({ steps: 8, directory: first.directory });
  await run(second.options);
  const measured = (await linesOf(first.directory, 'checkpoints.jsonl')).filter(
    ({ event }) => event === 'evaluation',
  );
  const ofFive = measured.filter(({ step }) => step === 5);
  expect(ofFive).toHaveLength(2);
  expect(new Set(ofFive.map(({ session }) => session)).size).toBe(2);
  expect(new Set(ofFive.map(({ folder }) => folder)).size).toBe(2);
  expect(new Set(ofFive.map(({ weights }) => weights)).size).toBe(2);
  for (const { folder, score, weights } of ofFive) {
    const text = await readFile(join(folder as string, 'results.json'), 'utf8');
    expect((JSON.parse(text) as { mean: { value: number } }).mean.value).toBe(score);
    const record = await readFile(join(folder as string, 'run.json'), 'utf8');
    expect(record).toContain(weights as string);
  }
  // The version that was gone on from has its score already.
  expect(measured.filter(({ step }) => step === 4)).toHaveLength(1);
});

it('counts evaluations without progress over a crash, none of them twice', async () => {
  const judged = (input: object): Game => ({ ...echoGame(input), reward: (): number => 0.5 });
  const stopWhen = { evaluationsWithoutProgress: 6 };
  const first = await measuredBed({ steps: 40, judged, stopWhen });
  await breakOff(first.options, 6);
  const second = await measuredBed({ steps: 40, judged, stopWhen, directory: first.directory });
  const steps = await run(second.options);
  expect(steps.at(-1)!.end).toMatchObject({ reason: 'no_progress' });
  // Version 0 is the best; 1 to 4 were no better, then 5 and 6 once more.
  const last = steps.at(-1)!.step;
  expect(last).toBeGreaterThanOrEqual(6);
  expect(last).toBeLessThanOrEqual(8);
  // What is over stays over.
  const third = await measuredBed({ steps: 40, judged, stopWhen, directory: first.directory });
  expect(await run(third.options)).toEqual([]);
});

it('the metrics have each step once, and the mean of ten continues', async () => {
  const first = await bed({ steps: 12, checkpointEverySteps: 4 });
  await breakOff(first.options, 6);
  const second = await bed({ steps: 12, checkpointEverySteps: 4, directory: first.directory });
  await run(second.options);
  const metrics = await linesOf(first.directory, 'metrics.jsonl');
  expect(metrics.map(({ step }) => step)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  const rewards = metrics.map(({ reward }) => reward as number);
  for (const [at, { rewardOfTen }] of metrics.entries()) {
    const ten = rewards.slice(Math.max(0, at - 9), at + 1);
    expect(rewardOfTen).toBeCloseTo(ten.reduce((sum, value) => sum + value, 0) / ten.length, 12);
  }
});

it('steps without spread count over a crash', async () => {
  const game = (input: object): Game => ({ ...echoGame(input), reward: (): number => 0.5 });
  const options = { steps: 99, checkpointEverySteps: 2, guards: { maxStepsWithoutSpread: 6 }, game };
  const first = await bed(options);
  await breakOff(first.options, 5);
  const second = await bed({ ...options, directory: first.directory });
  const made: number[] = [];
  const going = (async () => {
    for await (const { step } of train(second.options)) made.push(step);
  })();
  await expect(going).rejects.toMatchObject({ code: 'ART_TRAIN_NO_SPREAD' });
  // Four steps of the first process are in the checkpoint; the sixth in all is refused.
  expect(made).toEqual([5]);
});

it('kept weights and states are known, and deleted once nothing needs them', async () => {
  const { options, directory } = await measuredBed({
    steps: 12,
    checkpointEverySteps: 3,
    klCoefficient: 0.05,
  });
  await run(options);
  const lines = await linesOf(directory, 'checkpoints.jsonl');
  const gone = new Set(lines.flatMap(({ event, save }) => (event === 'deleted' ? [save] : [])));
  const kept = lines.flatMap(({ event, save }) => (event === 'kept' && !gone.has(save) ? [save] : []));
  const saved = lines.filter(({ event }) => event === 'checkpoint');
  const best = lines.findLast(({ isBest }) => isBest === true)!;
  const needed = saved.slice(-2).flatMap(({ state, weights }) => [state, weights]);
  expect(kept).toEqual(expect.arrayContaining([...needed, best['weights'], saved[0]!['base']]));
  expect(gone.size).toBeGreaterThan(8);
  expect(kept.length).toBeLessThan(12);
  for (const save of kept) expect(await isThere(save as string)).toBe(true);
  for (const save of gone) expect(await isThere(save as string)).toBe(false);
});

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

it('goes back to its best version, with its weights, behind the data that was trained', async () => {
  // A run whose policy was best at step 4: the judge says so.
  let measured = 0;
  const judged = (input: object): Game => ({
    ...echoGame(input),
    reward: (): number => (Math.floor(measured++ / echoTasks.length) === 4 ? 1 : 0),
  });
  const first = await measuredBed({ steps: 8, judged });
  await run(first.options);
  const lines = await linesOf(first.directory, 'checkpoints.jsonl');
  const best = lines.findLast(({ isBest }) => isBest === true)!;
  expect(best['step']).toBe(4);

  const loaded: string[] = [];
  const second = await measuredBed({
    steps: 10,
    judged: echoGame,
    directory: first.directory,
    draw: 'in_turn',
  });
  const { service } = second.options;
  const open: typeof service.open = async (session) => {
    const steps = await service.open(session);
    const load = steps.loadState.bind(steps);
    return Object.assign(steps, {
      loadState: (state: { state: string }, given: { optimizer: boolean }) => {
        loaded.push(state.state);
        return load(state, given);
      },
    });
  };
  const steps = await run({ ...second.options, from: 'best', service: { ...service, open } });
  expect(loaded).toEqual([best['state']]);
  expect(steps.map(({ step }) => step)).toEqual([5, 6, 7, 8, 9, 10]);
  // Eight steps of six groups were trained: the data continues behind them, and a new run begins with the ninth.
  const fresh = await bed({ steps: 9, draw: 'in_turn' });
  await run(fresh.options);
  expect(second.client.started.slice(0, 6)).toEqual(fresh.client.started.slice(48, 54));
  const metrics = await linesOf(first.directory, 'metrics.jsonl');
  expect(metrics.map(({ step }) => step)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
});

it('refuses to go back where nothing was measured', async () => {
  const { options } = await bed({ steps: 1 });
  await run(options);
  const again = await bed({ steps: 2, directory: options.directory, from: 'best' });
  await expect(run(again.options)).rejects.toMatchObject({ code: 'ART_TRAIN_UNKNOWN_SAVE' });
});
