import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@art/ground';
import { GatewayError } from '@art/gateway-client';
import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it } from 'vitest';
import { holdFolder } from '@art/ground';
import { localService } from '../local/session/local-service.ts';
import type { TrainOptions } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';
import { ServedPolicy } from '../sampling/served-policy.ts';
import { bed, run } from './loop-bed.fixture.ts';
import {
  echoGame,
  echoShape,
  echoTasks,
  type Game,
  playedAgent,
  shiftLogprobs,
} from './scripted-rollouts.fixture.ts';
import { train } from './train.ts';

async function linesOf(directory: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(directory, name), 'utf8');
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
}

describe('a policy that is trained in a closed loop', () => {
  it.each(shortlist([1, 2], 1))('learns (seed %i)', async (seed) => {
    const { options, announced, register, directory } = await bed({ seed, steps: 40 });
    const steps = await run(options);
    expect(steps[0]!.reward).toBeLessThan(0.3);
    expect(steps.at(-1)!.rewardOfTen).toBeGreaterThan(0.9);
    expect(Math.max(...steps.map(({ logprobGap }) => logprobGap ?? 0))).toBe(0);
    expect(announced).toEqual(Array.from({ length: 41 }, (_, version) => version));
    expect(register.open()).toEqual([]);
    expect(await linesOf(directory, 'metrics.jsonl')).toHaveLength(40);
    expect(steps.at(-1)!.end).toMatchObject({ reason: 'steps' });
  });

  it('is the same for the same seed', async () => {
    const rewards = async () => (await run((await bed()).options)).map(({ reward }) => reward);
    expect(await rewards()).toEqual(await rewards());
  });

  it('is refused where logprobs are one token late, with a sentence, before a second step', async () => {
    const { options, announced, register } = await bed({
      game: (input) => ({ ...echoGame(input), spoil: shiftLogprobs }),
    });
    await expect(run(options)).rejects.toMatchObject({
      code: 'ART_TRAIN_LOGPROB_GAP',
      message: expect.stringContaining('not aligned with their logprobs') as string,
    });
    expect(announced).toEqual([0]);
    expect(register.open()).toEqual([]);
  });

  it.each(shortlist([1, 2], 1))('does not learn from them where the guard is off (seed %i)', async (seed) => {
    const { options } = await bed({
      seed,
      steps: 30,
      guards: { maxLogprobGap: 100, checkUpdateEverySteps: 0 },
      game: (input) => ({ ...echoGame(input), spoil: shiftLogprobs }),
    });
    const steps = await run(options);
    expect(Math.max(...steps.map(({ rewardOfTen }) => rewardOfTen!))).toBeLessThan(0.5);
  });
});

describe('asynchronous by admission', () => {
  it('starts no more groups than may be ahead, and trains the slow one late instead of never', async () => {
    const slow = Promise.withResolvers<void>();
    const { options, client } = await bed({
      steps: 6,
      maxStepsOffPolicy: 1,
      game: (input, index) => ({ ...echoGame(input), ...(index === 2 && { pause: () => slow.promise }) }),
    });
    const lags: (number | undefined)[] = [];
    for await (const { step, lag } of train(options)) {
      lags.push(lag?.most);
      if (step === 4) slow.resolve();
    }
    expect(client.mostActive).toBeLessThanOrEqual(12);
    expect(client.started.length).toBeGreaterThan(36);
    expect(lags[0]).toBe(0);
    expect(Math.max(...lags.map((lag) => lag ?? 0))).toBeLessThanOrEqual(2);
  });

  it('waits for every rollout of a step where nothing may be off policy', async () => {
    const { options, client } = await bed({ steps: 3 });
    const lags: (number | undefined)[] = [];
    for await (const { lag } of train(options)) lags.push(lag?.most);
    expect(client.mostActive).toBe(6);
    expect(lags).toEqual([0, 0, 0]);
    // None that nobody would train on.
    expect(client.started).toHaveLength(18);
  });

  it('plain importance sampling is refused with more than one step off policy', async () => {
    const { options } = await bed({ maxStepsOffPolicy: 2, loss: { name: 'importance_sampling' } });
    expect(() => train(options)).toThrow(
      /`maxStepsOffPolicy` to be at most 1 with importance_sampling.*Take ppo or cispo/,
    );
  });
});

describe('what ends a run', () => {
  it.each([
    ['ART_TRAIN_REWARD_RANGE', { guards: { rewardRange: [0, 0.5] } }, {}],
    [
      'ART_TRAIN_NO_SPREAD',
      { guards: { maxStepsWithoutSpread: 2 }, steps: 9 },
      { reward: (): number => 0.5 },
    ],
    ['ART_TRAIN_NOTHING_CAPTURED', {}, { hasRows: false }],
    ['ART_TRAIN_ROLLOUTS_FAILED', {}, { reward: () => Number.NaN }],
  ] as const)('%s', async (code, given, wrong) => {
    const { options, register } = await bed({
      ...(given as Partial<TrainOptions>),
      game: (input) => ({ ...echoGame(input), ...wrong }),
    });
    await expect(run(options)).rejects.toMatchObject({ code });
    expect(register.open()).toEqual([]);
  });

  it('the signal stops now; the other one finishes the step and saves', async () => {
    const now = new AbortController();
    const stopping = await bed({ steps: 9, signal: now.signal });
    const steps: number[] = [];
    const stopped = (async () => {
      for await (const { step } of train(stopping.options)) {
        steps.push(step);
        if (step === 2) now.abort(new Error('enough'));
      }
    })();
    await expect(stopped).rejects.toThrow('enough');
    expect(stopping.register.open()).toEqual([]);

    const soon = new AbortController();
    const finishing = await bed({ steps: 9, finishSignal: soon.signal });
    let last: TrainingStep | undefined;
    for await (const step of train(finishing.options)) {
      last = step;
      if (step.step === 2) soon.abort();
    }
    expect(last).toMatchObject({ step: 3, isCheckpoint: true, end: { reason: 'finished_early' } });
  });

  it('a budget of tokens or of money', async () => {
    const tokens = await bed({ steps: 99, stopWhen: { tokens: 2_000 } });
    expect((await run(tokens.options)).at(-1)).toMatchObject({
      isCheckpoint: true,
      end: { reason: 'budget' },
    });
    const prices = { prompt: 1_000, sampled: 5_000, trained: 2_000 };
    const money = await run((await bed({ steps: 99, stopWhen: { money: 5 }, prices })).options);
    expect(money.at(-1)!.spent.money).toBeGreaterThanOrEqual(5);
    expect(money.at(-2)!.spent.money).toBeLessThan(5);
  });

  it('a budget of the run, not of the process: what was spent before a crash counts', async () => {
    const { options, directory } = await bed({ steps: 9 });
    const spent: number[] = [];
    for await (const { step, spent: own } of train(options)) {
      spent.push(own.trainedTokens);
      if (step === 3) break;
    }
    const again = await run((await bed({ steps: 1, directory })).options);
    expect(again[0]!.spent.trainedTokens).toBeGreaterThan(spent.at(-1)!);
    const { promptTokens, sampledTokens, trainedTokens } = again[0]!.spent;
    const stopWhen = { tokens: promptTokens + sampledTokens + trainedTokens };
    const notices: string[] = [];
    const more = await bed({ steps: 9, directory, stopWhen, onNotice: (told) => notices.push(told) });
    expect(await run(more.options)).toEqual([]);
    expect(notices.join()).toMatch(/was over: .* tokens are used/);
  });
});

describe('evaluation beside training', () => {
  it('measures version 0, every so many steps and the last; keeps the best; stops at the score', async () => {
    const measured = new ServedPolicy({ temperature: 0 });
    const evaluation = {
      agent: playedAgent(measured, echoGame),
      policy: measured,
      tasks: echoTasks,
      everySteps: 5,
    };
    const { options, directory } = await bed({ steps: 60, evaluation, stopWhen: { score: 0.9 } });
    const steps = await run(options);
    const evaluations = steps.flatMap((step) => step.evaluations);
    expect(evaluations.slice(0, 2).map(({ step }) => step)).toEqual([0, 5]);
    expect(steps.at(-1)!.end).toMatchObject({ reason: 'score' });
    expect(steps.length).toBeLessThan(60);
    const best = (await linesOf(directory, 'checkpoints.jsonl'))
      .filter(({ isBest }) => isBest === true)
      .at(-1)!;
    expect(best['score']).toBeGreaterThanOrEqual(0.9);
    const results = JSON.parse(await readFile(join(best['folder'] as string, 'results.json'), 'utf8')) as {
      mean: { value: number };
    };
    expect(results.mean.value).toBe(best['score']);
    // Deterministic, and of the version that was saved.
    const session = localService({ shape: echoShape, seed: 5, directory });
    const again = new ServedPolicy({ temperature: 0 });
    again.use(
      await session.open({ name: 'x', note: () => Promise.resolve() }),
      { weights: best['weights'] as string },
      0,
    );
    const rewards = await Promise.all(
      echoTasks.map(async (task) =>
        echoGame(task).reward(
          (await again.sample({ ...echoGame(task), samples: 1, temperature: 1 }))[0]!.tokens,
        ),
      ),
    );
    expect(rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length).toBeCloseTo(
      best['score'] as number,
      10,
    );
  });

  it('stops where it does not get better', async () => {
    const measured = new ServedPolicy();
    const hopeless = (input: object): Game => ({ ...echoGame(input), reward: (): number => 0.5 });
    const evaluation = {
      agent: playedAgent(measured, hopeless),
      policy: measured,
      tasks: echoTasks,
      everySteps: 1,
    };
    const { options } = await bed({ steps: 60, evaluation, stopWhen: { evaluationsWithoutProgress: 3 } });
    const steps = await run(options);
    expect(steps.at(-1)!.end).toMatchObject({ reason: 'no_progress' });
    expect(steps.length).toBeLessThan(20);
  });
});

describe('a gateway that is down for a while', () => {
  const outages = (count: number) => {
    let calls = 0;
    return (): void => {
      calls += 1;
      if (calls % (count + 1) !== 0)
        throw new GatewayError({ code: 'ART_GATEWAY_UNREACHABLE', call: 'POST', message: 'no answer' });
    };
  };
  const hasty = { ...systemClock, after: (_: number, wake: () => void) => systemClock.after(0, wake) };

  it('is waited for when versions are announced and when rows are taken', async () => {
    const { options, client, announced } = await bed({ steps: 2, clock: hasty });
    const announce = outages(2);
    const gateway = {
      setWeightVersion: async (version: number) => {
        announce();
        await options.gateway.setWeightVersion(version);
      },
    };
    async function* withOutages(...given: Parameters<typeof client.runGroups>) {
      for await (const group of client.runGroups(...given)) {
        const isUp = outages(3);
        yield { ...group, rows: async () => (isUp(), await group.rows()) };
      }
    }
    const source = { runGroups: withOutages } as unknown as TrainOptions['client'];
    const steps = await run({ ...options, gateway, client: source });
    expect(steps.map(({ rows }) => rows)).toEqual([96, 96]);
    expect(announced).toEqual([0, 1, 2]);
  });

  it('ends the run where it stays away', async () => {
    const { options, register } = await bed({ steps: 2, clock: hasty });
    const gateway = { setWeightVersion: () => Promise.resolve().then(outages(1_000)) };
    await expect(run({ ...options, gateway })).rejects.toMatchObject({ code: 'ART_GATEWAY_UNREACHABLE' });
    expect(register.open()).toEqual([]);
  });
});

describe('after a crash', () => {
  it('continues from the last checkpoint: no step twice, no data twice, no session left', async () => {
    const given = { steps: 12, checkpointEverySteps: 4, draw: 'in_turn' as const };
    const first = await bed(given);
    for await (const { step } of train(first.options)) if (step === 6) break;
    // As `kill -9` leaves it: a session that nobody stopped, and half a line.
    const left = {
      service: 'local',
      name: 'art-left',
      place: {},
      directory: first.directory,
      openedAt: 'x',
    };
    await first.register.opening(left);
    await appendFile(join(first.directory, 'checkpoints.jsonl'), '{"event":"checkpoint","step":7,"sta');

    const second = await bed({ ...given, directory: first.directory });
    const steps = await run(second.options);
    expect(steps.map(({ step }) => step)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(second.client.started.slice(0, 12)).toEqual(first.client.started.slice(24, 36));
    expect(second.announced[0]).toBe(4);
    expect(second.stopped.map(({ name }) => name)).toEqual(['art-left']);
    expect(second.register.open()).toEqual([]);
    const checkpoints = (await linesOf(first.directory, 'metrics.jsonl')).filter(
      (line) => line['isCheckpoint'] === true,
    );
    expect(checkpoints.map((line) => line['step'])).toEqual([4, 8, 12]);
    expect((await bed({ directory: first.directory })).options.steps).toBe(3);
  });

  it('makes no step beyond the last: what was left is stopped, and nothing opened', async () => {
    const first = await bed({ steps: 2 });
    await run(first.options);
    const left = { service: 'local', name: 'art-left', place: {}, openedAt: 'x' };
    await first.register.opening({ ...left, directory: first.directory });
    const notices: string[] = [];
    const second = await bed({
      steps: 2,
      directory: first.directory,
      onNotice: (told) => notices.push(told),
    });
    const service = { ...second.options.service, open: () => Promise.reject(new Error('opened')) };
    expect(await run({ ...second.options, service })).toEqual([]);
    expect(second.stopped.map(({ name }) => name)).toEqual(['art-left']);
    expect(second.register.open()).toEqual([]);
    expect(notices.join()).toContain('was over: All 2 steps are made.');
  });

  it('acknowledges rollouts only once the checkpoint that saw them is written', async () => {
    const { options, client } = await bed({ steps: 5, checkpointEverySteps: 2 });
    const acknowledged: number[] = [];
    for await (const _ of train(options)) acknowledged.push(client.acknowledged.length);
    expect(acknowledged).toEqual([0, 12, 12, 24, 30]);
  });

  it('refuses a folder with another run, and one that a living process trains in', async () => {
    const first = await bed({ steps: 1 });
    await run(first.options);
    const other = await bed({ steps: 2, directory: first.directory, tasks: [{ key: 1 }] });
    await expect(run(other.options)).rejects.toMatchObject({ code: 'ART_TRAIN_CHANGED' });
    const reseeded = await bed({ steps: 2, directory: first.directory, seed: 9 });
    await expect(run(reseeded.options)).rejects.toMatchObject({ code: 'ART_TRAIN_CHANGED' });
    const again = await bed({ steps: 2, directory: first.directory });
    await using _ = await holdFolder(first.directory);
    await expect(run(again.options)).rejects.toMatchObject({ code: 'ART_FOLDER_HELD' });
  });

  it('a session is written down before it is created, and stays so where it could not be stopped', async () => {
    const seen: string[][] = [];
    const { options, register } = await bed({});
    const service = {
      ...options.service,
      open: () => {
        seen.push(register.open().map(({ service: name }) => name));
        return Promise.reject(new Error('no capacity'));
      },
      state: () => Promise.resolve('unknown' as const),
    };
    await expect(run({ ...options, service })).rejects.toThrow('no capacity');
    expect(seen).toEqual([['local']]);
    expect(register.open()).toHaveLength(1);
  });
});
