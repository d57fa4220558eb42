import { createAgentCoreRuntime } from '@art/client';
import {
  BedrockAgentCoreClient,
  InvokeAgentRuntimeCommand,
  StopRuntimeSessionCommand,
} from '@aws-sdk/client-bedrock-agentcore';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stubAwsEnvironment } from './aws-environment.fixture.ts';
import {
  startRecordingServer,
  type RecordedRequest,
  type RecordingServer,
} from './recording-server.fixture.ts';

const agentRuntimeArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';
const path = '/runtimes/arn%3Aaws%3Abedrock-agentcore%3Aus-west-2%3A123456789012%3Aruntime%2Fmy_agent-abc123';
const runtimeSessionId = '0a1b2c3d-0000-4000-8000-000000000001';
const body = '{"prompt":"hï"}';

/** Different in every request, or telling one SDK set-up from another; the service does not act on them. */
const incidental = new Set([
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'authorization',
  'connection',
  'host',
  'user-agent',
  'x-amz-date',
  'x-amz-user-agent',
]);
const essential = ({ headers }: RecordedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !incidental.has(name)));

let server: RecordingServer;

beforeEach(async () => {
  server = await startRecordingServer();
  stubAwsEnvironment(server.endpoint);
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});

/** Requests for a command as the SDK sends it, and as our runtime sends it. */
async function both(
  command: InvokeAgentRuntimeCommand | StopRuntimeSessionCommand,
  call: (runtime: ReturnType<typeof createAgentCoreRuntime>) => Promise<unknown>,
): Promise<{ sdk: RecordedRequest; ours: RecordedRequest }> {
  const client = new BedrockAgentCoreClient();
  // One send type for both commands is more than the SDK's overloads can express.
  await client.send(command as InvokeAgentRuntimeCommand);
  client.destroy();
  const runtime = createAgentCoreRuntime({ agentRuntimeArn });
  await call(runtime);
  runtime.close();
  expect(server.requests).toHaveLength(2);
  return { sdk: server.requests[0]!, ours: server.requests[1]! };
}

describe('what our client sends, beside what the AWS SDK sends', () => {
  it('InvokeAgentRuntime: the same, with JSON announced', async () => {
    const { sdk, ours } = await both(
      new InvokeAgentRuntimeCommand({
        agentRuntimeArn,
        runtimeSessionId,
        payload: new TextEncoder().encode(body),
      }),
      (runtime) => runtime.invoke({ sessionId: runtimeSessionId, body }),
    );
    expect(ours).toMatchObject({ method: 'POST', url: `${path}/invocations`, body });
    expect([ours.method, ours.url, ours.body]).toEqual([sdk.method, sdk.url, sdk.body]);
    expect(sdk.headers['content-type']).toBe('application/octet-stream');
    expect(essential(ours)).toEqual({
      ...essential(sdk),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    expect(ours.headers).toMatchObject({
      'x-amzn-bedrock-agentcore-runtime-session-id': runtimeSessionId,
      'content-length': '16',
    });
    expectOneSend(ours, sdk);
  });

  it('StopRuntimeSession: the same but for the random token', async () => {
    const { sdk, ours } = await both(
      new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId }),
      (runtime) => runtime.stop(runtimeSessionId),
    );
    expect(ours).toMatchObject({ method: 'POST', url: `${path}/stopruntimesession` });
    expect([ours.method, ours.url]).toEqual([sdk.method, sdk.url]);
    const uuid = /^\{"clientToken":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"\}$/;
    for (const request of [sdk, ours]) expect(request.body).toMatch(uuid);
    const ofBody = { 'x-amz-content-sha256': expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(essential(ours)).toEqual({ ...essential(sdk), ...ofBody });
    expectOneSend(ours, sdk);
  });

  it('a qualifier goes into the query of both', async () => {
    const runtime = createAgentCoreRuntime({ agentRuntimeArn, qualifier: 'canary' });
    await runtime.invoke({ sessionId: runtimeSessionId, body });
    await runtime.stop(runtimeSessionId);
    runtime.close();
    expect(server.requests.map((request) => request.url)).toEqual([
      `${path}/invocations?qualifier=canary`,
      `${path}/stopruntimesession?qualifier=canary`,
    ]);
  });
});

/** The SDK would send three times on its own; with ours every attempt is ours, and signed by the same rules. */
function expectOneSend(ours: RecordedRequest, sdk: RecordedRequest): void {
  expect(sdk.headers['amz-sdk-request']).toBe('attempt=1; max=3');
  expect(ours.headers['amz-sdk-request']).toBe('attempt=1; max=1');
  const scope =
    /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/us-west-2\/bedrock-agentcore\/aws4_request, SignedHeaders=/;
  for (const { headers } of [ours, sdk]) expect(headers['authorization']).toMatch(scope);
}
