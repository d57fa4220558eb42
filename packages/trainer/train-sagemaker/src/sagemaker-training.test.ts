import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LocalTrainingSessions,
  type LocalTrainingSessionsOptions,
  startLocalTrainingSessions,
  type TrainingSessionFault,
} from '@art/training-stand-in';
import type { AdamParams, Loss, StepRow } from '@art/train/steps';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SageMakerTrainingOptions } from './options/sagemaker-training-options.ts';
import { sagemakerAccount, sagemakerTraining } from './sagemaker-training.ts';
import { operations } from './wire/operations.ts';
import { SignedCalls } from './wire/signed-calls.ts';

const shape: LocalTrainingSessionsOptions['shape'] = {
  vocabularySize: 11,
  hiddenSize: 8,
  intermediateSize: 8,
  layers: 1,
  heads: 2,
  headSize: 4,
  maxContext: 600,
  endToken: 10,
};
const loss: Loss = { name: 'importance_sampling' };
const adam: AdamParams = {
  learningRate: 5e-3,
  beta1: 0.9,
  beta2: 0.99,
  eps: 1e-8,
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

const baseModelArn =
  'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/openai-reasoning-gpt-oss-20b';

/** A fast wait: the service is on this machine. */
const soon = { pollMs: 1 };

async function open(
  local: Partial<LocalTrainingSessionsOptions> = {},
  options: Partial<SageMakerTrainingOptions> = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'art-train-sagemaker-'));
  const sessions = await startLocalTrainingSessions({ directory, shape, ...local });
  onTestFinished(async () => {
    await sessions.close();
    await rm(directory, { recursive: true, force: true });
  });
  const service = sagemakerTraining({
    region: 'us-west-2',
    roleArn: 'arn:aws:iam::123456789012:role/train',
    baseModelArn,
    outputS3: 's3://a-bucket/out',
    loraRank: 4,
    loraAlpha: 8,
    endpoint: sessions.endpoint,
    runtimeEndpoint: sessions.endpoint,
    credentials: () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local-secret' }),
    clock: hurriedClock,
    ...soon,
    ...options,
  });
  return { service, sessions };
}

/** The real time, but for pauses: they end at once. */
const hurriedClock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
  after: (_delayMs: number, callback: () => void) => {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

const session = (name = 's1') => ({ name, note: () => Promise.resolve() });
const kinds = ({ applied }: LocalTrainingSessions) =>
  applied.map(({ sequenceNumber, kind }) => `${sequenceNumber} ${kind}`);

it('trains, saves and samples in the order of the calls, and names the weights of every sample', async () => {
  const { service, sessions } = await open();
  const steps = await service.open(session());
  expect(await steps.info()).toMatchObject({ loraRank: 4, minSampleTokens: 512 });
  const request = { prompt: [1, 2], samples: 2, maxTokens: 512, temperature: 1, seed: 3 };
  const base = await steps.sample({ ...request, weights: 'base' });
  // Nothing is awaited before all of it is submitted.
  const pass = steps.forwardBackward([row, row], loss);
  const step = steps.optimStep(adam);
  const weights = steps.saveForSampling('w1', { keep: true });
  const state = steps.saveState('st1');
  expect((await pass.result()).logprobs?.map((list) => list.length)).toEqual([3, 3]);
  await step.result();
  const saved = await weights.result();
  const stored = await state.result();
  expect(kinds(sessions)).toEqual(['1 forwardBackward', '2 optimizerStep', '3 saveWeights', '4 saveState']);
  const after = await steps.sample({ ...request, weights: saved });
  expect(after.map(({ logprobs, tokens }) => logprobs.length - tokens.length)).toEqual([0, 0]);
  expect(after).not.toEqual(base);
  const logprobs = await steps.logprobs([1, 2, 3, 4], saved);
  expect(logprobs.map((logprob) => typeof logprob)).toEqual(['object', 'number', 'number', 'number']);
  await expect(steps.sample({ ...request, weights: 'base' })).rejects.toMatchObject({
    code: 'ART_SAGEMAKER_REFUSED',
  });
  await steps.stop();
  await steps.stop();
  await expect.poll(() => sessions.statuses()).toEqual({ s1: 'Stopped' });

  const second = await service.open(session('s2'));
  await second.loadState(stored, { optimizer: true }).result();
  const again = await second.logprobs([1, 2, 3, 4], saved);
  for (const [at, logprob] of logprobs.entries()) expect(again[at] ?? 0).toBeCloseTo(logprob ?? 0, 6);
  await service.stop({ service: 'sagemaker', name: 's2', place: {} });
  await expect.poll(() => sessions.statuses()).toEqual({ s1: 'Stopped', s2: 'Stopped' });
});

it('deletes versions that are not kept: older ones beside training, the rest with the session, also that of a killed process', async () => {
  const { service, sessions } = await open();
  let place: Readonly<Record<string, string>> = {};
  const note = (facts: Readonly<Record<string, string>>) => Promise.resolve(void (place = facts));
  const first = await service.open({ name: 's1', note });
  const kept = await first.saveForSampling('kept', { keep: true }).result();
  for (let step = 0; step < 6; step += 1) await first.saveForSampling(`w${step}`, { keep: false }).result();
  await expect.poll(() => sessions.packages()).toHaveLength(5);
  expect(sessions.packages()).toContain(kept.weights);

  // As a process that was killed leaves it.
  await service.stop({ service: 'sagemaker', name: 's1', place });
  expect(sessions.packages()).toEqual([kept.weights]);
  await service.stop({ service: 'sagemaker', name: 's1', place });

  const second = await service.open(session('s2'));
  await second.saveForSampling('w', { keep: false }).result();
  expect(sessions.packages()).toHaveLength(2);
  await second.stop();
  expect(sessions.packages()).toEqual([kept.weights]);
});

it('a version that cannot be deleted is told, and ends nothing', async () => {
  const notices: string[] = [];
  const { service } = await open(
    {
      fault: ({ operation }) =>
        operation === 'DeleteModelPackage' ? { kind: 'error', status: 500 } : undefined,
    },
    { onNotice: (message) => notices.push(message) },
  );
  const steps = await service.open(session());
  const { weights } = await steps.saveForSampling('w', { keep: false }).result();
  await steps.stop();
  expect(notices.at(-1)).toContain(`${weights}, which is no longer needed, stays`);
});

const runtimeOperations: Record<string, string> = {
  'POST operations': 'ExecuteTrainingOperation',
  'GET operations': 'GetTrainingOperationResult',
  'POST sampling-operations': 'ExecuteSamplingOperation',
  'GET sampling-operations': 'GetSamplingOperationResult',
};

it('sends the operations that its policy allows, and no other', async () => {
  const sending = vi.spyOn(SignedCalls.prototype, 'send');
  onTestFinished(() => sending.mockRestore());
  const { service, sessions } = await open();
  const steps = await service.open(session());
  await steps.forwardBackward([row], loss).result();
  await steps.sample({ prompt: [1], samples: 1, maxTokens: 512, temperature: 1, seed: 3, weights: 'base' });
  await steps.saveForSampling('w', { keep: false }).result();
  await steps.stop();
  const account = sagemakerAccount({
    region: 'us-west-2',
    endpoint: sessions.endpoint,
    credentials: () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local-secret' }),
  });
  await account.runningSessions();
  await account.baseModel(baseModelArn).catch(() => undefined);
  const sent = sending.mock.calls.map(([{ method, path, headers }]) => {
    const kind = path.split('/')[4];
    return headers?.['x-amz-target']?.replace('SageMaker.', '') ?? runtimeOperations[`${method} ${kind}`];
  });
  expect([...new Set(sent)].toSorted()).toEqual(Object.keys(operations).toSorted());
});

it('cuts a large pass into requests whose gradients add up, whatever the service divides by', async () => {
  const rows = Array.from({ length: 1_500 }, (_, at): StepRow => ({ ...row, advantages: [0, at % 3, -1] }));
  const gradients: number[][] = [];
  for (const reduction of ['sum', 'token-mean'] as const) {
    const { service, sessions } = await open({ reduction }, { reduction });
    const steps = await service.open(session());
    await steps.forwardBackward(rows, loss).result();
    const { metrics } = await steps.optimStep(adam).result();
    expect(kinds(sessions)).toEqual(['1 forwardBackward', '2 forwardBackward', '3 optimizerStep']);
    const saved = await steps.saveForSampling('w', { keep: true }).result();
    gradients.push((await steps.logprobs([1, 2, 3, 4], saved)).slice(1) as number[]);
    expect(Object.keys(metrics).length).toBeGreaterThan(0);
    await steps.stop();
  }
  for (const [at, logprob] of gradients[0]!.entries()) expect(gradients[1]![at]).toBeCloseTo(logprob, 4);
});

it('does every operation once, whatever goes wrong on the way', async () => {
  const faults: TrainingSessionFault[] = [
    { kind: 'error', status: 429 },
    { kind: 'error', status: 500 },
    { kind: 'error', status: 503 },
    { kind: 'reset' },
    { kind: 'lose_reply' },
  ];
  let seed = 7;
  const fault: LocalTrainingSessionsOptions['fault'] = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed >> 8) % 3 === 0 ? faults[(seed >> 12) % faults.length] : undefined;
  };
  const { service, sessions } = await open({ fault });
  const steps = await service.open(session());
  for (let step = 0; step < 5; step += 1) {
    steps.forwardBackward([row], loss);
    steps.optimStep(adam);
    await steps.saveForSampling(`w${step}`, { keep: false }).result();
  }
  await steps.stop();
  expect(kinds(sessions)).toEqual(
    Array.from({ length: 5 }, (_, step) => [
      `${step * 3 + 1} forwardBackward`,
      `${step * 3 + 2} optimizerStep`,
      `${step * 3 + 3} saveWeights`,
    ]).flat(),
  );
  await expect.poll(() => sessions.statuses()).toEqual({ s1: 'Stopped' });
});

it('lets everything fail behind an operation that failed, in the words of the service', async () => {
  const { service, sessions } = await open();
  const steps = await service.open(session());
  const wrong = steps.forwardBackward([{ ...row, targets: [2, 3, 99] }], loss);
  const step = steps.optimStep(adam);
  await expect(wrong.result()).rejects.toMatchObject({ code: 'ART_SAGEMAKER_OPERATION_FAILED' });
  await expect(step.result()).rejects.toMatchObject({ code: expect.stringMatching(/^ART_SAGEMAKER_/) });
  await expect(steps.forwardBackward([row], loss).result()).rejects.toMatchObject({
    code: expect.stringMatching(/^ART_SAGEMAKER_/),
  });
  expect(kinds(sessions)).toEqual([]);
  await steps.stop();
});

it('stops a session that does not become ready, and says why', async () => {
  const { service, sessions } = await open({ describesUntilRunning: 1_000 }, { readyWithinMs: 0 });
  await expect(service.open(session())).rejects.toMatchObject({
    code: 'ART_SAGEMAKER_SESSION_ENDED',
    message: expect.stringMatching(/s1 did not become ready; it is \w+: it was not ready within 0 ms/),
  });
  await expect.poll(() => sessions.statuses()).toEqual({ s1: 'Stopped' });
});

it('gives up a session that the service has lost, long before one that is starting', async () => {
  const asked: string[] = [];
  const forgetful = createServer((request, reply) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1]!;
    asked.push(operation);
    const isKnown = operation === 'CreateTrainingSession';
    reply.writeHead(isKnown ? 200 : 400).end(JSON.stringify(isKnown ? {} : { __type: 'ResourceNotFound' }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void forgetful.close());
  await once(forgetful, 'listening');
  let nowMs = 0;
  const clock = {
    ...hurriedClock,
    nowMs: () => nowMs,
    after: (delayMs: number, callback: () => void) => {
      nowMs += delayMs;
      return hurriedClock.after(delayMs, callback);
    },
  };
  const endpoint = `http://127.0.0.1:${(forgetful.address() as AddressInfo).port}`;
  const { service } = await open({}, { endpoint, clock });
  await expect(service.open(session())).rejects.toMatchObject({
    code: 'ART_SAGEMAKER_SESSION_ENDED',
    message: expect.stringContaining('it is unknown to the service') as string,
  });
  expect(nowMs).toBe(60_000);
  expect(asked.at(-1)).toBe('StopTrainingSession');
});

it('finds out what became of sessions of other processes, and ends them; also those that never were', async () => {
  const { service } = await open();
  const record = { service: 'sagemaker', name: 's9', place: {} };
  expect(await service.state(record)).toBe('ended');
  await service.stop(record);
  await service.open(session('s9'));
  expect(await service.state(record)).toBe('running');
  await service.stop(record);
  await service.stop(record);
  expect(await service.state(record)).toBe('ended');
});

it('says what AWS said of keys, and what to do', async () => {
  const { service } = await open(
    {},
    { credentials: () => Promise.resolve({ accessKeyId: 'x', secretAccessKey: 'y' }) },
  );
  await expect(service.open(session())).rejects.toMatchObject({
    code: 'ART_SAGEMAKER_REFUSED',
    message: expect.stringMatching(/InvalidSignatureException.*clock/),
  });
});

it('refuses what the service would refuse or misunderstand, before it is sent', async () => {
  const { service, sessions } = await open();
  const steps = await service.open(session());
  const request = { prompt: [1], samples: 1, maxTokens: 511, temperature: 1, weights: 'base' } as const;
  await expect(steps.sample(request)).rejects.toThrow(/maxTokens.*512/);
  expect(() => steps.optimStep({ ...adam, learningRate: 0.02 })).toThrow(/0\.01/);
  await steps.stop();
  expect(kinds(sessions)).toEqual([]);
  const options = { region: 'us-west-2', roleArn: 'x', baseModelArn: 'x', outputS3: 'x' };
  expect(() => sagemakerTraining(options)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
});
