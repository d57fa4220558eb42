import type { AdamParams, Loss, StepRow, TrainingSteps } from '@art/train/steps';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type TinkerServer, tinkerServer } from './tinker-server.fixture.ts';
import type { TinkerTrainingOptions } from './options/tinker-training-options.ts';
import { tinkerTraining } from './tinker-training.ts';

const loss: Loss = { name: 'importance_sampling' };
const adam: AdamParams = {
  learningRate: 5e-3,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-12,
  weightDecay: 0,
  gradClipNorm: 0,
};
const row: StepRow = {
  tokens: [1, 2, 3],
  targets: [2, 3, 4],
  weights: [0, 1, 1],
  logprobs: [0, -2, -2],
  advantages: [0, 1, -1],
};
/** The real time, but for pauses: they end at once. Heartbeats wait for the test's end. */
const hurriedClock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  after: (delayMs: number, callback: () => void) => {
    if (delayMs === 10_000) return () => undefined;
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

function service(server: TinkerServer, options: Partial<TinkerTrainingOptions> = {}) {
  return tinkerTraining({
    baseModel: 'tiny',
    apiKey: 'tml-x',
    baseUrl: server.baseUrl,
    encoding: 'json',
    clock: hurriedClock,
    ...options,
  });
}

async function opened(
  server: TinkerServer,
  options: Partial<TinkerTrainingOptions> = {},
): Promise<TrainingSteps> {
  return service(server, options).open({ name: 's1', note: () => Promise.resolve() });
}

const request = { prompt: [1, 2], samples: 2, maxTokens: 6, temperature: 1, seed: 3 };

it('trains, saves and samples in the order of the calls', async () => {
  const server = await tinkerServer();
  const steps = await opened(server);
  expect(await steps.info()).toEqual({ baseModel: 'tiny', loraRank: 32, tokenizerId: 'tiny/tokenizer' });
  const base = await steps.sample({ ...request, weights: 'base' });
  const pass = steps.forwardBackward([row, row], loss);
  const step = steps.optimStep(adam);
  const kept = steps.saveForSampling('w1', { keep: true });
  const passing = steps.saveForSampling('w2', { keep: false });
  const state = steps.saveState('st1');
  expect((await pass.result()).logprobs!.map((list) => list.length)).toEqual([3, 3]);
  expect((await step.result()).metrics).toEqual({ grad_norm: 1 });
  const [first, second] = [await kept.result(), await passing.result()];
  expect(first).toEqual({ weights: 'tinker://model_1/w1' });
  const sampled = await steps.sample({ ...request, weights: first });
  expect(await steps.sample({ ...request, weights: second })).toEqual(sampled);
  expect(sampled).not.toEqual(base);
  expect((await steps.logprobs([1, 2, 3], first)).map((logprob) => typeof logprob)).toEqual([
    'object',
    'number',
    'number',
  ]);
  await steps.loadState(await state.result(), { optimizer: true }).result();
  expect(server.applied.slice(1)).toEqual([
    'forward_backward',
    'optim_step',
    'save_weights_for_sampler',
    'save_weights_for_sampler',
    'save_weights',
    'load_weights',
  ]);
  const numbers = server.seen.flatMap(({ path, body }) =>
    'model_id' in body && 'seq_id' in body && path !== '/asample' ? [body['seq_id'] as number] : [],
  );
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
  await steps.stop();
  await expect(steps.sample({ ...request, weights: first })).rejects.toMatchObject({
    code: 'ART_TINKER_SESSION_ENDED',
  });
});

it('does every operation once, whatever goes wrong on the way', async () => {
  const server = await tinkerServer();
  let calls = 0;
  server.fault = (path) => {
    calls += 1;
    if (calls % 3 !== 0) return undefined;
    const faults = [
      { status: 429, headers: { 'retry-after-ms': '1' } },
      { status: 500 },
      'lose_reply',
      { status: 408 },
    ] as const;
    const fault = faults[(calls / 3) % faults.length]!;
    // Only long polls end by 408 in passing.
    return fault !== 'lose_reply' && fault.status === 408 && path !== '/retrieve_future' ? undefined : fault;
  };
  const steps = await opened(server);
  for (let step = 0; step < 4; step += 1) {
    steps.forwardBackward([row], loss);
    steps.optimStep(adam);
    await steps.saveForSampling(`w${step}`, { keep: false }).result();
  }
  expect(server.applied).toEqual([
    'create_model',
    ...Array.from({ length: 4 }, () => ['forward_backward', 'optim_step', 'save_weights_for_sampler']).flat(),
  ]);
  await steps.stop();
});

it('asks again for a promise that is not kept yet, tells of queues, and sends a request again whose promise is lost', async () => {
  const server = await tinkerServer();
  const notices: string[] = [];
  const steps = await opened(server, { onNotice: (message) => notices.push(message) });
  const answers = [
    { status: 200, body: { type: 'try_again', queue_state: 'paused_capacity', queue_state_reason: 'busy' } },
    { status: 200, body: { status: 'complete_metadata', response_payload_size: 9 } },
    { status: 410, body: { detail: 'gone' } },
  ];
  server.fault = (path) => (path === '/retrieve_future' ? answers.shift() : undefined);
  await steps.sample({ ...request, weights: 'base' });
  expect(notices).toEqual(['The server holds requests back (paused_capacity: busy). Waiting.']);
  expect(server.seen.filter(({ path }) => path === '/asample')).toHaveLength(2);
  const asked = server.seen.filter(({ path }) => path === '/retrieve_future').slice(-4);
  expect(asked.map(({ body }) => body['allow_metadata_only'] as boolean)).toEqual([true, true, false, false]);
  await steps.stop();
});

it('lets a long poll take as long as the slowest server does', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeouts.mockRestore());
  const server = await tinkerServer();
  const steps = await opened(server);
  timeouts.mockClear();
  await steps.forwardBackward([row], loss).result();
  const [submit, poll] = timeouts.mock.calls.map(([ms]) => ms);
  expect(submit).toBe(60_000);
  // SkyRL 0.4.0 answers within 300 s.
  expect(poll).toBeGreaterThan(300_000);
  await steps.stop();
});

it('deletes what it kept, also twice; what lives as long as the session is left to it', async () => {
  const server = await tinkerServer();
  const steps = await opened(server);
  const kept = await steps.saveForSampling('w1', { keep: true }).result();
  const brief = await steps.saveForSampling('w2', { keep: false }).result();
  expect([await steps.forget!(kept), await steps.forget!(kept), await steps.forget!(brief)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await steps.forget!({ state: 'tinker://model_1/weights/s1' })).toBe(true);
  const asked = server.seen.map(({ path }) => path).filter((path) => path.startsWith('/training_runs'));
  expect(asked).toEqual([
    '/training_runs/model_1/checkpoints/sampler_weights/w1',
    '/training_runs/model_1/checkpoints/sampler_weights/w1',
    '/training_runs/model_1/checkpoints/weights/s1',
  ]);
  // A server without the route has deleted nothing.
  server.fault = () => ({ status: 404, body: { detail: 'Not Found' } });
  expect(await steps.forget!({ state: 'tinker://model_1/weights/s1' })).toBe(false);
});

it('a teacher can be another base model', async () => {
  const server = await tinkerServer();
  const steps = await opened(server);
  await steps.logprobs([1, 2], { weights: 'large' });
  expect(server.seen.find(({ path }) => path === '/create_sampling_session')!.body).toMatchObject({
    base_model: 'large',
  });
});

it('waits for a suspended account, and says so', async () => {
  const server = await tinkerServer();
  const notices: string[] = [];
  const steps = await opened(server, { onNotice: (message) => notices.push(message) });
  let unpaid = 30;
  server.fault = (path) => (path === '/optim_step' && (unpaid -= 1) > 0 ? { status: 402 } : undefined);
  await steps.optimStep(adam).result();
  expect(notices).toHaveLength(1);
  await steps.stop();
  const poor = await opened(server, { unpaidForMs: 0 });
  server.fault = (path) => (path === '/optim_step' ? { status: 402 } : undefined);
  await expect(poor.optimStep(adam).result()).rejects.toMatchObject({ code: 'ART_TINKER_UNPAID' });
  await poor.stop();
});

it('lets everything fail behind an operation that failed, in the words of the server', async () => {
  const server = await tinkerServer();
  const steps = await opened(server);
  const wrong = steps.forwardBackward([{ ...row, targets: [2, 3, 99] }], loss);
  await expect(wrong.result()).rejects.toMatchObject({
    code: 'ART_TINKER_OPERATION_FAILED',
    message: expect.stringMatching(/^A pass over 1 rows failed: .*99/),
  });
  await expect(steps.optimStep(adam).result()).rejects.toMatchObject({ code: 'ART_TINKER_OPERATION_FAILED' });
  expect(server.applied).toEqual(['create_model', 'forward_backward']);
  await steps.stop();
});

it('exchanges the key for a token where the server wants one, and renews it once it is refused', async () => {
  const server = await tinkerServer();
  server.config = { pjwt_auth_enabled: true, fwdbwd_max_chunk_len: 2 };
  const token = (name: string) =>
    `${name}.${Buffer.from(JSON.stringify({ exp: Date.now() / 1_000 + 3_600 })).toString('base64url')}.s`;
  let issued = 0;
  server.fault = (path) => {
    if (path === '/auth/token') return { status: 200, body: { jwt: token(`t${(issued += 1)}`) } };
    const key = String(server.seen.at(-1)!.headers['x-api-key']);
    return path !== '/client/config' && key.startsWith('t1') && issued === 1 && path === '/optim_step'
      ? { status: 401 }
      : undefined;
  };
  const steps = await opened(server);
  await steps.forwardBackward([row, row, row], loss).result();
  await steps.optimStep(adam).result();
  expect(server.applied.slice(1)).toEqual(['forward_backward', 'forward_backward', 'optim_step']);
  const keys = server.seen.map(
    ({ path, headers }) => `${path} ${String(headers['x-api-key']).split('.')[0]}`,
  );
  expect(keys.slice(0, 3)).toEqual(['/client/config tml-x', '/auth/token tml-x', '/create_session t1']);
  expect(keys.filter((key) => key.startsWith('/optim_step'))).toEqual(['/optim_step t1', '/optim_step t2']);
  await steps.stop();
});

it('gives up a server that refuses, by its words, and a key that is wrong, with what to do', async () => {
  const server = await tinkerServer();
  server.fault = () => ({ status: 401, body: { detail: 'bad key' } });
  await expect(opened(server)).rejects.toMatchObject({
    code: 'ART_TINKER_REFUSED',
    message: expect.stringMatching(/client\/config failed with 401: .*bad key.*TINKER_API_KEY/),
  });
  server.fault = () => ({ status: 503 });
  await expect(opened(server)).rejects.toMatchObject({ code: 'ART_TINKER_UNREACHABLE' });
});

it('ends with the session, when the server does not know it any more', async () => {
  const server = await tinkerServer();
  const beats: (() => void)[] = [];
  const clock = {
    ...hurriedClock,
    after: (delayMs: number, callback: () => void) => {
      if (delayMs !== 10_000) return hurriedClock.after(delayMs, callback);
      beats.push(callback);
      return () => undefined;
    },
  };
  const steps = await opened(server, { clock });
  beats.shift()!();
  await expect.poll(() => beats.length).toBe(1);
  server.fault = (path) => (path === '/session_heartbeat' ? { status: 410 } : undefined);
  beats.shift()!();
  await expect
    .poll(() =>
      steps
        .optimStep(adam)
        .result()
        .then(
          () => 'took it',
          (error: { code: string }) => error.code,
        ),
    )
    .toBe('ART_TINKER_SESSION_ENDED');
  await steps.stop();
});

it('notes the session before a model is made, and finishes sessions of other processes', async () => {
  const server = await tinkerServer();
  const notes: object[] = [];
  const tinker = service(server);
  server.fault = (path) =>
    path === '/create_model' ? { status: 400, body: { detail: 'no such model' } } : undefined;
  const open = tinker.open({ name: 's1', note: async (facts) => void notes.push(facts) });
  await expect(open).rejects.toThrow(/no such model/);
  expect(notes).toEqual([{ sessionId: 'session_1' }]);
  expect(server.seen.at(-1)!.path).toBe('/sessions/session_1/finish');
  await tinker.stop({ service: 'tinker', name: 's1', place: { sessionId: 'session_2' } });
  expect(server.seen.at(-1)!.path).toBe('/sessions/session_2/finish');
});
