import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { tinyShape } from './tiny-shape.fixture.ts';
import { createRequest, signedClient } from './signed-client.fixture.ts';
import {
  type LocalTrainingSessions,
  type LocalTrainingSessionsOptions,
  startLocalTrainingSessions,
} from './start-local-training-sessions.ts';

let root: string;
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'art-training-sessions-'))));
afterAll(() => rm(root, { recursive: true, force: true }));

const adam = { optimizerStep: { adamParamsConfig: { learningRate: 0.01 } } };
const input = (tokens: number[]) => ({ chunks: [{ tokens, type: 'encoded_text' }] });
const float = (data: number[]) => ({ data, dtype: 'float32', shape: [data.length] });
const datum = {
  modelInput: input([1, 2, 3]),
  lossFnInputs: {
    target_tokens: { data: [2, 3, 4], dtype: 'int64' },
    weights: float([0, 1, 1]),
    logprobs: float([0, -2, -2]),
    advantages: float([0, 1, 1]),
  },
};
const pass = { forwardBackward: { lossFnName: 'importance_sampling', datumList: [datum] } };
const sample = { prompt: input([1, 2]), numSamples: 2, samplingParams: { maxTokens: 512, seed: 3 } };

async function open(options: Partial<LocalTrainingSessionsOptions> = {}) {
  const directory = options.directory ?? (await mkdtemp(join(root, 'd-')));
  const sessions = await startLocalTrainingSessions({ directory, shape: tinyShape, ...options });
  onTestFinished(() => sessions.close());
  return { sessions, directory, client: signedClient(sessions.endpoint) };
}

async function running(options: Partial<LocalTrainingSessionsOptions> = {}) {
  const bed = await open(options);
  await bed.client.create();
  return bed;
}

const kinds = ({ applied }: LocalTrainingSessions) =>
  applied.map(({ sequenceNumber, kind }) => `${sequenceNumber} ${kind}`);

it('verifies every signature', async () => {
  const { sessions, client } = await open();
  const list = (other: Parameters<typeof signedClient>[1], alter?: (text: string) => string) =>
    signedClient(sessions.endpoint, other).control('ListTrainingSessions', {}, alter && { alter });
  expect(await list({})).toMatchObject({ status: 200 });
  for (const wrong of [
    { secretAccessKey: 'other' },
    { accessKeyId: 'other' },
    { region: 'us-east-1' },
    { service: 'sagemaker-runtime' },
    { signingDate: new Date(Date.now() - 600_000) },
  ])
    expect(await list(wrong)).toMatchObject({ status: 403, type: 'InvalidSignatureException' });
  expect(await list({}, (text) => `${text} `)).toMatchObject({ status: 403 });
  expect(
    await fetch(`${sessions.endpoint}/`, {
      method: 'POST',
      headers: { 'x-amz-target': 'SageMaker.ListTrainingSessions' },
    }),
  ).toMatchObject({ status: 403 });
  // Bodies that are not ASCII, and both forms of what is signed.
  await client.create();
  expect(await client.submit(1, { saveState: { description: 'é' } })).toMatchObject({ status: 200 });
});

it('a session is created, runs, is stopped once, and is deleted only then', async () => {
  const { client } = await open({ describesUntilRunning: 2 });
  const named = { TrainingSessionName: 's1' };
  const status = async () => {
    const { body } = await client.control('DescribeTrainingSession', named);
    return body.TrainingSessionDetail?.TrainingSessionStatus ?? body.__type;
  };
  expect(await status()).toBe('ResourceNotFound');
  expect(await client.submit(1, adam)).toMatchObject({ status: 404, type: 'ResourceNotFoundException' });
  await client.control('CreateTrainingSession', createRequest('s1'));
  expect(await client.control('CreateTrainingSession', createRequest('s1'))).toMatchObject({
    status: 400,
    body: { __type: 'ResourceInUse' },
  });
  expect(await client.submit(1, adam)).toMatchObject({ status: 409, type: 'ConflictException' });
  expect([await status(), await status(), await status()]).toEqual(['Created', 'Scheduled', 'Running']);
  expect(await client.control('DeleteTrainingSession', named)).toMatchObject({ status: 400 });
  expect(await client.control('StopTrainingSession', named)).toMatchObject({ status: 200 });
  expect((await client.control('StopTrainingSession', named)).body.message).toMatch(
    /^invalid session state transition from Stopp(ing|ed) to Stopping$/,
  );
  await expect.poll(status).toBe('Stopped');
  expect(await client.submit(1, adam)).toMatchObject({ status: 409 });
  expect(await client.control('DeleteTrainingSession', named)).toMatchObject({ status: 200 });
  expect(await status()).toBe('ResourceNotFound');
});

it('runs operations strictly by their numbers, and waits for one that is missing', async () => {
  const { sessions, client } = await running();
  const ahead = await client.submit(2, adam);
  expect((await client.poll(ahead.body.operationId!)).body).toEqual({ status: 'Pending' });
  expect(sessions.statuses()).toEqual({ s1: 'Blocked' });
  expect(kinds(sessions)).toEqual([]);
  await client.submit(1, pass);
  const { statuses } = await client.ended(ahead.body.operationId!);
  expect(statuses.at(-1)).toBe('Completed');
  expect(kinds(sessions)).toEqual(['1 forwardBackward', '2 optimizerStep']);
  expect(sessions.statuses()).toEqual({ s1: 'Running' });
});

it.each([
  ['was never sent', undefined],
  ['was accepted, and lost by a fault', { kind: 'gap' as const }],
])('a number that %s fails the session, and what waited is skipped', async (_name, lost) => {
  const timers: (() => void)[] = [];
  const clock = {
    nowMs: () => 0,
    epochMs: () => Date.now(),
    after: (delayMs: number, callback: () => void) => {
      if (delayMs === 777) timers.push(callback);
      return () => undefined;
    },
  };
  const fault = ({ body }: { body: Buffer }) => (body.includes('forwardBackward') ? lost : undefined);
  const { sessions, client } = await running({ clock, gapTimeoutMs: 777, fault });
  const first = lost && (await client.submit(1, pass));
  const { body } = first ?? (await client.submit(2, adam));
  await expect.poll(() => timers.length).toBe(1);
  timers[0]!();
  expect((await client.ended(body.operationId!)).statuses).toEqual(['Skipped']);
  expect(sessions.statuses()).toEqual({ s1: 'Failed' });
});

it('takes a submit once by its token, and refuses a token or a number that was used for something else', async () => {
  const { sessions, client } = await running();
  const first = await client.submit(1, pass, 'token-1');
  expect(await client.submit(1, pass, 'token-1')).toEqual(first);
  for (const [number, config, token] of [
    [1, adam, 'token-1'],
    [2, pass, 'token-1'],
    [1, pass, 'token-2'],
    [1, pass, undefined],
  ] as const)
    expect(await client.submit(number, config, token)).toMatchObject({
      status: 400,
      type: 'ValidationException',
    });
  await client.ended(first.body.operationId!);
  expect(kinds(sessions)).toEqual(['1 forwardBackward']);
});

it.each([
  ['two members of a union', { ...pass, ...adam }],
  ['no member', {}],
  ['an unknown operation', { abort: {} }],
  ['a learning rate that is too large', { optimizerStep: { adamParamsConfig: { learningRate: 0.02 } } }],
  ['an unknown loss', { forwardBackward: { ...pass.forwardBackward, lossFnName: 'dro' } }],
  ['no datum', { forwardBackward: { ...pass.forwardBackward, datumList: [] } }],
  [
    'mask',
    {
      forwardBackward: {
        ...pass.forwardBackward,
        datumList: [{ ...datum, lossFnInputs: { ...datum.lossFnInputs, mask: float([1]) } }],
      },
    },
  ],
  [
    'no weights',
    {
      forwardBackward: {
        ...pass.forwardBackward,
        datumList: [{ ...datum, lossFnInputs: { ...datum.lossFnInputs, weights: undefined } }],
      },
    },
  ],
  [
    'clip bounds past their range',
    {
      forwardBackward: {
        ...pass.forwardBackward,
        lossFnName: 'ppo',
        lossFnConfig: { clip_high_threshold: 11 },
      },
    },
  ],
  [
    'a state without loadOptimizer',
    { loadState: { modelPackageArn: 'arn:aws:sagemaker:us-west-2:123456789012:model-package/g/1' } },
  ],
])('refuses %s', async (_name, config) => {
  const { sessions, client } = await running();
  expect(await client.submit(1, config)).toMatchObject({ status: 400, type: 'ValidationException' });
  expect(sessions.applied).toEqual([]);
});

it.each([
  ['an answer shorter than 512 tokens', { sample: { ...sample, samplingParams: { maxTokens: 511 } } }],
  ['an answer longer than it can be', { sample: { ...sample, samplingParams: { maxTokens: 131_073 } } }],
  ['a temperature past 2', { sample: { ...sample, samplingParams: { maxTokens: 512, temperature: 3 } } }],
  [
    'a version that was not loaded',
    { sample: { ...sample, modelPackageArn: 'arn:aws:sagemaker:us-west-2:123456789012:model-package/g/1' } },
  ],
])('refuses to sample %s', async (_name, config) => {
  const { client } = await running();
  expect(await client.sampling(config)).toMatchObject({ status: 400, type: 'ValidationException' });
});

it('lists of different lengths are accepted, and then fail the operation and the session', async () => {
  const { sessions, client } = await running();
  const wrong = { ...datum, lossFnInputs: { ...datum.lossFnInputs, weights: float([1]) } };
  const later = await client.submit(2, adam);
  const { body } = await client.submit(1, { forwardBackward: { lossFnName: 'ppo', datumList: [wrong] } });
  expect((await client.ended(body.operationId!)).body).toMatchObject({
    status: 'Failed',
    errorDetails: /weights/,
  });
  expect((await client.ended(later.body.operationId!)).statuses).toEqual(['Skipped']);
  expect(sessions.statuses()).toEqual({ s1: 'Failed' });
});

it('new weights reach sampling when they are loaded, and each version stays what it was', async () => {
  const { client } = await running({ pollsUntilDone: 3 });
  const { train, ask } = client;
  const base = await ask({ computeLogprobs: { prompt: input([1, 2, 3]) } });
  // At least so often; a machine that is busy is asked more often.
  expect((await train(1, pass)).statuses.join(' ')).toMatch(/^Pending( InProgress){2,} Completed$/);
  await train(2, adam);
  const { modelPackageArn } = (await train(3, { saveWeights: {} })).body.operationResult!.saveWeights!;
  const logprobs = { computeLogprobs: { prompt: input([1, 2, 3]), modelPackageArn } };
  expect(await client.sampling(logprobs)).toMatchObject({ status: 400 });
  await ask({ loadWeightsForSampling: { modelPackageArn } });
  const trained = await ask(logprobs);
  expect(trained).not.toEqual(base);
  await train(4, pass);
  await train(5, adam);
  expect(await ask(logprobs)).toEqual(trained);
  const sampled = await ask({ sample: { ...sample, modelPackageArn, includePromptLogprobs: true } });
  expect(sampled!.sample!.sequences).toHaveLength(2);
  expect(sampled!.sample!.promptLogprobs[0]).toBeNull();
  const { body } = await client.control('DescribeTrainingSession', { TrainingSessionName: 's1' });
  expect(body.TrainingSessionDetail).toMatchObject({
    LastReceivedSequenceNumber: 5,
    BillableTokenUsage: { PrefillTokenCount: 4, TrainingTokenCount: 6 },
  });
});

it('a state is loaded by the next session, also of a process that comes after', async () => {
  const first = await running();
  await first.client.submit(1, pass);
  await first.client.submit(2, adam);
  const saved = await first.client.train(3, { saveState: {} });
  const { modelPackageArn } = saved.body.operationResult!.saveState!;
  await first.sessions.close();
  const second = await running({ directory: first.directory });
  const loadState = { modelPackageArn, loadOptimizer: true };
  expect((await second.client.train(1, { loadState })).statuses.at(-1)).toBe('Completed');
  expect((await second.client.train(2, { saveState: {} })).body.operationResult).toEqual({
    saveState: { modelPackageArn: modelPackageArn.replace(/1$/, '2') },
  });
});

it.each(['reset', 'lose_reply'] as const)('breaks the connection: %s', async (kind) => {
  const { sessions, client } = await running({
    fault: ({ operation, index }) =>
      operation === 'ExecuteTrainingOperation' && index % 2 === 0 ? { kind } : undefined,
  });
  await expect(client.submit(1, pass, 'token-1')).rejects.toThrow('fetch failed');
  await expect.poll(() => kinds(sessions)).toEqual(kind === 'reset' ? [] : ['1 forwardBackward']);
  expect(await client.submit(1, pass, 'token-1')).toMatchObject({ status: 200 });
  await expect.poll(() => kinds(sessions)).toEqual(['1 forwardBackward']);
});

it('answers with errors, fails operations, ends the session, and loses effects as it is told to', async () => {
  const faults = [
    { kind: 'error', status: 429 },
    { kind: 'error', status: 503 },
    { kind: 'ignore' },
    { kind: 'fail', errorDetails: 'out of memory' },
  ] as const;
  let next = 0;
  const { sessions, client } = await running({
    fault: ({ operation }) =>
      operation === 'ExecuteTrainingOperation'
        ? faults[next++]
        : operation.startsWith('Get') && next > 5
          ? { kind: 'expire' }
          : undefined,
  });
  expect(await client.submit(1, pass)).toMatchObject({ status: 429, type: 'ThrottlingException' });
  expect(await client.submit(1, pass)).toMatchObject({ status: 503 });
  const ignored = await client.submit(1, pass);
  expect((await client.ended(ignored.body.operationId!)).statuses.at(-1)).toBe('Completed');
  const failed = await client.submit(2, adam);
  expect((await client.ended(failed.body.operationId!)).body).toMatchObject({
    status: 'Failed',
    errorDetails: 'out of memory',
  });
  expect(sessions.applied).toEqual([]);
});

it('ends a session that nobody uses', async () => {
  const timers: (() => void)[] = [];
  const clock = {
    nowMs: () => 0,
    epochMs: () => Date.now(),
    after: (delayMs: number, callback: () => void) => {
      if (delayMs === 555) timers.push(callback);
      return () => undefined;
    },
  };
  const { sessions, client } = await running({ clock, inactivityTimeoutMs: 555 });
  timers.at(-1)!();
  expect(sessions.statuses()).toEqual({ s1: 'Expired' });
  expect(await client.submit(1, pass)).toMatchObject({ status: 409 });
});

it('web pages are not answered', async () => {
  const { sessions } = await open();
  const answer = await fetch(`${sessions.endpoint}/`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'x-amz-target': 'SageMaker.ListTrainingSessions' },
  });
  expect(answer.status).toBe(403);
});
