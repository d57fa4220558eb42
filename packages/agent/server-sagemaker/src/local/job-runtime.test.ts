import { ManualClock } from '@art/ground/testing';
import { expect, it, onTestFinished } from 'vitest';
import { type LocalJobRuntimeOptions, startLocalJobRuntime } from './start-local-job-runtime.ts';

const jobArn = 'arn:aws:sagemaker:us-west-2:123456789012:job/agent-rft/j1';
const trajectoryId = 't1';
const taken = { status: 200, type: null, message: undefined };
const sigV4 =
  'AWS4-HMAC-SHA256 Credential=AKIA/20261122/us-west-2/sagemaker/aws4_request, SignedHeaders=host, Signature=x';

function token(changes: Record<string, string> = {}): string {
  const url = new URL('https://sagemaker.amazonaws.com/');
  const members = {
    Action: 'CallWithBearerToken',
    'X-Amz-Credential': 'AKIA/20250615/us-west-2/sagemaker/aws4_request',
    'X-Amz-Date': '20250616T000000Z',
    'X-Amz-Expires': '43200',
    'X-Amz-Signature': 'a'.repeat(64),
    Version: '1',
    ...changes,
  };
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return `Bearer sagemaker-api-key-${Buffer.from(url.href.slice('https://'.length)).toString('base64')}`;
}

async function start(options: Partial<LocalJobRuntimeOptions> = {}) {
  const runtime = await startLocalJobRuntime({ modelUrl: 'http://127.0.0.1:9/v1', ...options });
  onTestFinished(() => runtime.close());
  const post = async (path: string, members: object, headers: Record<string, string> = {}) => {
    const response = await fetch(runtime.endpoint + path, {
      method: 'POST',
      headers: { authorization: sigV4, 'X-Amzn-SageMaker-Job-Arn': jobArn, ...headers },
      body: JSON.stringify(members),
    });
    const { Message: message } = (await response.json()) as { Message?: string };
    return { status: response.status, type: response.headers.get('x-amzn-errortype'), message };
  };
  return { runtime, post };
}

it('takes a completion and a reward once, and repetitions under their tokens', async () => {
  const { runtime, post } = await start();
  const end = runtime.open({ jobArn, trajectoryId }, 60_000);
  const reward = { TrajectoryId: trajectoryId, Rewards: [0.5], ClientToken: 'r' };
  expect(await post('/update-reward', reward)).toEqual({
    status: 409,
    type: 'ConflictException',
    message: 'Trajectory t1 is not in valid status for a reward: open',
  });
  const complete = { TrajectoryId: trajectoryId, ClientToken: 'c' };
  expect(await post('/complete-rollout', complete)).toEqual(taken);
  expect(await post('/complete-rollout', complete)).toEqual(taken);
  expect(await post('/complete-rollout', { ...complete, ClientToken: 'd' })).toMatchObject({ status: 409 });
  const sampling = { 'X-Amzn-SageMaker-Trajectory-Id': trajectoryId };
  expect(await post('/sample', {}, sampling)).toMatchObject({ status: 400, type: 'ValidationException' });
  expect(await post('/update-reward', reward)).toEqual(taken);
  expect(await post('/update-reward', reward)).toEqual(taken);
  expect(await post('/update-reward', { ...reward, ClientToken: 's' })).toMatchObject({ status: 409 });
  expect(await end).toMatchObject({ state: 'rewarded', completedAs: 'ready', rewards: [0.5], turns: 0 });
});

it('takes nothing after the time-out, and counts what comes', async () => {
  const clock = new ManualClock();
  const { runtime, post } = await start({ clock });
  const end = runtime.open({ jobArn, trajectoryId }, 1_000);
  clock.advance(1_000);
  expect(await end).toMatchObject({ state: 'timed_out' });
  expect(await post('/complete-rollout', { TrajectoryId: trajectoryId })).toMatchObject({ status: 409 });
  expect(runtime.trajectories()).toMatchObject([{ lateCalls: 1, rewards: undefined }]);
});

it.each([
  ['/complete-rollout', { TrajectoryId: 'unknown' }, {}, 404],
  ['/complete-rollout', { TrajectoryId: trajectoryId, Status: 'done' }, {}, 400],
  ['/complete-rollout', {}, {}, 400],
  ['/complete-rollout', [], {}, 400],
  ['/update-reward', { TrajectoryId: trajectoryId, Rewards: ['1'] }, {}, 400],
  ['/update-reward', { TrajectoryId: trajectoryId, Rewards: [1] }, { 'X-Amzn-SageMaker-Job-Arn': 'j' }, 400],
  ['/sample', {}, {}, 400],
  ['/v1/chat/completions', {}, { 'X-Amzn-SageMaker-Trajectory-Id': trajectoryId }, 500],
  ['/v1/models', {}, {}, 404],
])('%s %j with %j is answered with %i', async (path, members, headers, status) => {
  const { runtime, post } = await start();
  void runtime.open({ jobArn, trajectoryId }, 60_000);
  expect(await post(path, members, headers)).toMatchObject({ status });
});

it('takes SigV4, and bearer tokens of its region that have not expired', async () => {
  const clock = new ManualClock();
  // It begins at its own time.
  clock.advance(Date.parse('2025-06-16T01:00:00Z') - clock.epochMs());
  const { runtime, post } = await start({ clock });
  void runtime.open({ jobArn, trajectoryId }, 60_000);
  const send = async (authorization: string) => {
    const members = { TrajectoryId: trajectoryId, ClientToken: 'same' };
    return (await post('/complete-rollout', members, { authorization })).status;
  };
  expect(await send(token())).toBe(200);
  for (const wrong of [
    '',
    'Bearer x',
    'Bearer sagemaker-api-key-AAAA',
    sigV4.replace('sagemaker', 's3'),
    token({ Action: 'Other' }),
    token({ Version: '2' }),
    token({ 'X-Amz-Credential': 'AKIA/20250615/eu-west-1/sagemaker/aws4_request' }),
    token({ 'X-Amz-Signature': '' }),
    token({ 'X-Amz-Date': '20250615T120000Z' }),
    token({ 'X-Amz-Expires': '10' }),
  ])
    expect([wrong, await send(wrong)]).toEqual([wrong, 403]);
});

it('refuses a model without a URL', async () => {
  await expect(startLocalJobRuntime({ modelUrl: 'localhost' })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
