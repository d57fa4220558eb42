import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdamParams, Loss, Sample, SampleRequest } from '../../steps/index.ts';
import { randomRows, tinyShape } from '../tiny-policy.fixture.ts';
import { LocalSession, type LocalSessionOptions } from './local-session.ts';

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'art-local-session-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

const loss: Loss = { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 };
const adam: AdamParams = {
  learningRate: 5e-3,
  beta1: 0.9,
  beta2: 0.99,
  eps: 1e-8,
  weightDecay: 0.01,
  gradClipNorm: 1,
};
const request: SampleRequest = {
  prompt: [1, 2, 3],
  samples: 3,
  maxTokens: 6,
  temperature: 1,
  seed: 4,
  weights: 'base',
};
const rows = randomRows(1, [5, 7]);

function open(options: Partial<LocalSessionOptions> = {}): LocalSession {
  return new LocalSession({ shape: tinyShape, seed: 2, directory, ...options });
}

it('the same seed, prompt and weights give the same answers, whatever else is asked for at the same time', async () => {
  const alone = await open().sample(request);
  const session = open();
  const others = Array.from({ length: 20 }, (_, seed) =>
    session.sample({ ...request, seed, prompt: [4, seed % 9] }),
  );
  expect(await session.sample(request)).toEqual(alone);
  expect(await session.sample({ ...request, seed: 5 })).not.toEqual(alone);
  expect(alone.map(({ tokens, logprobs }) => tokens.length - logprobs.length)).toEqual([0, 0, 0]);
  await Promise.all(others);
});

it('what was sampled has the same logprob when it is asked for and when it is trained on, to the last bit', async () => {
  const session = open();
  const [{ tokens, logprobs }] = (await session.sample({ ...request, samples: 1 })) as [Sample];
  const all = [...request.prompt, ...tokens];
  const asked = await session.logprobs(all, 'base');
  expect(asked[0]).toBeNull();
  // As long as a sequence can be.
  const longest = Array.from({ length: tinyShape.maxContext }, () => 1);
  expect(await session.logprobs(longest, 'base')).toHaveLength(tinyShape.maxContext);
  expect(asked.slice(3)).toEqual(logprobs);
  const row = { ...rows[0]!, tokens: all.slice(0, -1), targets: all.slice(1) };
  const zeros = row.tokens.map(() => 0);
  const pass = await session
    .forward([{ ...row, weights: zeros, logprobs: zeros, advantages: zeros }], loss)
    .result();
  expect(pass.logprobs![0]).toEqual(asked.slice(1));
});

it('weights are sampled as they were at their place in the order, beside later training', async () => {
  const session = open();
  const passes = [session.forwardBackward(rows, loss), session.optimStep(adam)];
  const saved = session.saveForSampling('one', { keep: false });
  session.forwardBackward(rows, loss);
  session.optimStep(adam);
  const later = session.saveForSampling('two', { keep: true });
  const [one, two] = [await saved.result(), await later.result()];
  const [sampledOne, sampledTwo] = [
    await session.logprobs([1, 2, 3], one),
    await session.logprobs([1, 2, 3], two),
  ];
  expect(sampledOne).not.toEqual(sampledTwo);
  expect(await session.logprobs([1, 2, 3], one)).toEqual(sampledOne);
  // Another process finds what was kept.
  expect(await open({ seed: 77 }).logprobs([1, 2, 3], two)).toEqual(sampledTwo);
  await expect(open().logprobs([1, 2, 3], one)).rejects.toMatchObject({ code: 'ART_TRAIN_UNKNOWN_SAVE' });
  await Promise.all(passes.map((pass) => pass.result()));
});

it.each([undefined, { rank: 2, alpha: 4 }])(
  'training continues from a saved state as if nothing had happened (%o)',
  async (lora) => {
    const train = (session: LocalSession): void => {
      session.forwardBackward(rows, loss);
      session.optimStep(adam);
    };
    const first = open({ lora });
    train(first);
    const state = await first.saveState('middle').result();
    train(first);
    const whole = await first.logprobs(
      [1, 2, 3, 4],
      await first.saveForSampling('end', { keep: false }).result(),
    );
    const second = open({ lora, seed: 99 });
    second.loadState(state, { optimizer: true });
    train(second);
    const resumed = await second.logprobs(
      [1, 2, 3, 4],
      await second.saveForSampling('end', { keep: false }).result(),
    );
    expect(resumed).toEqual(whole);
    await expect(
      open({ shape: { ...tinyShape, hiddenSize: 16 } })
        .loadState(state, { optimizer: false })
        .result(),
    ).rejects.toMatchObject({ code: 'ART_TRAIN_UNKNOWN_SAVE' });
  },
);

it('after an operation that failed all later ones fail, and sampling continues', async () => {
  const session = open();
  const wrong = session.forwardBackward([{ ...rows[0]!, tokens: [1, 99] }], loss);
  const step = session.optimStep(adam);
  await expect(wrong.result()).rejects.toMatchObject({ code: 'ART_TRAIN_BAD_ROWS' });
  await expect(step.result()).rejects.toMatchObject({ code: 'ART_TRAIN_BAD_ROWS' });
  await expect(session.sample(request)).resolves.toHaveLength(3);
});

it.each([
  ['no prompt', { prompt: [] }],
  ['a prompt without room for an answer', { prompt: Array.from({ length: 64 }, () => 1) }],
  ['a token of another vocabulary', { prompt: [11] }],
  ['stop texts without a tokenizer', { stop: ['x'] }],
])('refuses %s', async (_name, wrong) => {
  await expect(open().sample({ ...request, ...wrong })).rejects.toMatchObject({
    code: 'ART_TRAIN_SAMPLING_REFUSED',
  });
});

it('temperature 0 says the likeliest, topK and topP draw among the likely, stop texts end an answer', async () => {
  const session = open({ tokenBytes: Array.from('abcdefghijk', (letter) => Buffer.from(letter)) });
  const greedy = await session.sample({ ...request, temperature: 0 });
  expect(new Set(greedy.map(({ tokens }) => tokens.join()))).toHaveLength(1);
  for (const narrow of [{ topK: 1 }, { topP: 1e-9 }])
    expect((await session.sample({ ...request, ...narrow })).map(({ tokens }) => tokens)).toEqual(
      greedy.map(({ tokens }) => tokens),
    );
  const stops = await session.sample({ ...request, samples: 40, stop: ['c', 'd'] });
  expect(stops.filter(({ stopReason }) => stopReason === 'stop').length).toBeGreaterThan(10);
  for (const { tokens, stopReason } of stops) {
    expect(tokens.slice(0, -1).filter((token) => token === 2 || token === 3)).toEqual([]);
    expect(stopReason === 'stop').toBe([2, 3, 10].includes(tokens.at(-1)!));
  }
});

it('a long row leaves this thread to others', async () => {
  const shape = { ...tinyShape, maxContext: 400 };
  const session = open({ shape });
  await session.info();
  let isOver = false;
  const pass = session.forwardBackward(randomRows(5, [400], shape), loss).result();
  const ended = pass.finally(() => (isOver = true));
  let turns = 0;
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  expect((await ended).answeredRows).toBe(1);
  // A row is one pass over the policy: in this thread it would be over after three.
  expect(turns).toBeGreaterThan(10);
});

it('stop ends what is under way, and can be called again', async () => {
  const session = open();
  const many = randomRows(
    3,
    Array.from({ length: 1_000 }, () => 60),
  );
  const sampling = session.sample({ ...request, samples: 5_000, maxTokens: 60 });
  sampling.catch(() => undefined);
  const training = session.forwardBackward(many, loss);
  const step = session.optimStep(adam);
  await session.stop();
  await session.stop();
  await expect(sampling).rejects.toMatchObject({ code: 'ART_TRAIN_STOPPED' });
  await expect(step.result()).rejects.toMatchObject({ code: 'ART_TRAIN_STOPPED' });
  await expect(session.sample(request)).rejects.toMatchObject({ code: 'ART_TRAIN_STOPPED' });
  await training.result().catch(() => undefined);
});
