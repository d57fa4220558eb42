import { afterEach, expect, it, vi } from 'vitest';
import { startRecordingServer, stubAwsEnvironment } from './agentcore/recording-server.fixture.ts';
import { createAgentCoreRuntime } from './create-agentcore-runtime.ts';

const arnOf = (account: string, name: string): string =>
  `arn:aws:bedrock-agentcore:eu-west-1:${account}:runtime/${name}`;
const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';

afterEach(() => vi.unstubAllEnvs());

it('sends again what the service refused, over the wire', async () => {
  let calls = 0;
  await using server = await startRecordingServer((response) => {
    calls += 1;
    if (calls === 1) {
      response.writeHead(409, { 'x-amzn-errortype': 'RetryableConflictException' });
      response.end('{"message":"Session operation in progress, please retry"}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"status":"processing"}');
  });
  stubAwsEnvironment(server.url);
  using runtime = createAgentCoreRuntime({
    agentRuntimeArn: arnOf('111111111111', 'a-1'),
    tpsLimit: 100,
    random: () => 0,
  });
  const answer = await runtime.invoke({ sessionId, body: '{}' });
  expect(answer.body).toBe('{"status":"processing"}');
  expect(server.requests.map((sent) => sent.headers['amz-sdk-request'])).toEqual([
    'attempt=1; max=1',
    'attempt=1; max=1',
  ]);
});

it('shares the budgets per account and region, and closes what it made', async () => {
  await using server = await startRecordingServer((response) => response.end('{}'));
  stubAwsEnvironment(server.url);
  const first = createAgentCoreRuntime({ agentRuntimeArn: arnOf('222222222222', 'a-1'), tpsLimit: 10 });
  expect(() =>
    createAgentCoreRuntime({ agentRuntimeArn: arnOf('222222222222', 'b-2'), tpsLimit: 11 }),
  ).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
  createAgentCoreRuntime({ agentRuntimeArn: arnOf('333333333333', 'a-1'), tpsLimit: 11 }).close();
  first.close();
  await expect(first.stop(sessionId)).rejects.toMatchObject({ code: 'ART_CLOSED' });
  createAgentCoreRuntime({ agentRuntimeArn: arnOf('222222222222', 'b-2'), tpsLimit: 11 }).close();
});

it('refuses a string that is no ARN', () => {
  expect(() => createAgentCoreRuntime({ agentRuntimeArn: 'my_agent' })).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_ARN' }),
  );
});
