import type { ServerResponse } from 'node:http';
import { RuntimeError, type AgentRuntime } from '@art/protocol';
import { BedrockAgentCoreClient } from '@aws-sdk/client-bedrock-agentcore';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { AgentCoreRuntime } from './agentcore-runtime.ts';
import { startRecordingServer, stubAwsEnvironment } from './recording-server.fixture.ts';

const arn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';
const encodedArn = 'arn%3Aaws%3Abedrock-agentcore%3Aus-west-2%3A123456789012%3Aruntime%2Fmy_agent-abc123';
const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';
const request = { sessionId, body: '{"prompt":"h\u00ef"}' };

function answerJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': 'rq-1', ...headers });
  response.end(body);
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

async function failureOf(
  answer: (response: ServerResponse) => void,
  call: (runtime: AgentRuntime) => Promise<unknown> = async (runtime) => runtime.invoke(request),
): Promise<RuntimeError> {
  await using server = await startRecordingServer(answer);
  stubAwsEnvironment(server.url);
  using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
  const error = await call(runtime).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(server.requests).toHaveLength(1);
  if (!RuntimeError.isInstance(error)) throw new Error(`Expected a RuntimeError, got ${String(error)}`);
  return error;
}

describe('a clock that differs from the service', () => {
  const skewed = '{"message":"Signature expired: 20261123T010203Z is now earlier than 20261123T011203Z"}';
  const refuse = (response: ServerResponse): void =>
    answerJson(response, 403, skewed, { 'x-amzn-errortype': 'InvalidSignatureException' });

  it('costs nothing but a second request, also where many calls are refused at once', async () => {
    const seen = new Set<unknown>();
    await using server = await startRecordingServer((response, { headers }) => {
      const session = headers['x-amzn-bedrock-agentcore-runtime-session-id'];
      if (seen.has(session)) answerJson(response, 200, '{}');
      else refuse(response);
      seen.add(session);
    });
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    const calls = [1, 2, 3, 4].map((n) =>
      runtime.invoke({ ...request, sessionId: `${sessionId.slice(0, -1)}${n}` }),
    );
    await expect(Promise.all(calls)).resolves.toHaveLength(4);
    expect(server.requests).toHaveLength(8);
  });

  it('is told where the second request is refused, too', async () => {
    await using server = await startRecordingServer(refuse);
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    await expect(runtime.invoke(request)).rejects.toMatchObject({
      code: 'ART_RUNTIME_REJECTED',
      message: expect.stringContaining('clock of this machine is wrong') as string,
    });
    expect(server.requests).toHaveLength(2);
  });
});

describe('AgentCoreRuntime on the wire', () => {
  it('invokes as the SDK does, with JSON as content type', async () => {
    await using server = await startRecordingServer((response) =>
      answerJson(response, 200, '{"status":"processing"}', {
        'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
        'X-Amzn-Bedrock-AgentCore-Runtime-Session-Endpoint-Url': 'https://session.example',
      }),
    );
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    expectTypeOf(runtime).toExtend<AgentRuntime>();

    await expect(runtime.invoke(request)).resolves.toEqual({
      body: '{"status":"processing"}',
      sessionId,
      requestId: 'rq-1',
      sessionEndpointUrl: 'https://session.example',
    });

    const [sent] = server.requests;
    expect(sent).toMatchObject({ method: 'POST', url: `/runtimes/${encodedArn}/invocations` });
    expect(sent?.body).toBe(request.body);
    expect(sent?.headers).toMatchObject({
      'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': '16',
      'amz-sdk-request': 'attempt=1; max=1',
      'x-amz-security-token': 'local-token',
      'x-amz-content-sha256': expect.stringMatching(/^[0-9a-f]{64}$/),
      'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDLOCAL\/\d{8}\/us-west-2\/bedrock-agentcore\/aws4_request, /,
      ),
      connection: 'keep-alive',
    });
    expect(sent?.headers).not.toHaveProperty('x-amzn-bedrock-agentcore-runtime-user-id');
  });

  it('sends qualifier and user id where they are set', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn, qualifier: 'canary', userId: 'user-7' });
    await runtime.invoke(request);
    await runtime.stop(sessionId);
    expect(server.requests.map((sent) => sent.url)).toEqual([
      `/runtimes/${encodedArn}/invocations?qualifier=canary`,
      `/runtimes/${encodedArn}/stopruntimesession?qualifier=canary`,
    ]);
    expect(server.requests[0]?.headers['x-amzn-bedrock-agentcore-runtime-user-id']).toBe('user-7');
  });

  it.each(['', '{}'])('stops as the SDK does and takes %j for an answer', async (body) => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, body));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    await expect(runtime.stop(sessionId)).resolves.toEqual({ kind: 'stopped' });
    const [sent] = server.requests;
    expect(sent).toMatchObject({ method: 'POST', url: `/runtimes/${encodedArn}/stopruntimesession` });
    expect(sent?.headers).toMatchObject({
      'x-amzn-bedrock-agentcore-runtime-session-id': sessionId,
      'content-type': 'application/json',
    });
    expect(JSON.parse(sent?.body ?? '')).toEqual({ clientToken: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('uses one socket for calls in a row, failed ones included', async () => {
    let count = 0;
    await using server = await startRecordingServer((response) => {
      count += 1;
      if (count % 2 === 0) answerJson(response, 503, JSON.stringify({ message: 'x'.repeat(200_000) }));
      else answerJson(response, 200, JSON.stringify({ text: 'y'.repeat(200_000) }));
    });
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    for (let call = 0; call < 10; call += 1) await runtime.invoke(request).catch(() => {});
    expect(server.requests).toHaveLength(10);
    expect(new Set(server.requests.map((sent) => sent.remotePort)).size).toBe(1);
  });

  it('opens as many sockets as calls are under way, up to maxConnections', async () => {
    const held: ServerResponse[] = [];
    await using server = await startRecordingServer((response) => held.push(response));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn, maxConnections: 60 });
    const calls = Array.from({ length: 61 }, async () => runtime.invoke(request));
    await vi.waitFor(() => expect(held).toHaveLength(60));
    answerJson(held[0]!, 200, '{}');
    await vi.waitFor(() => expect(held).toHaveLength(61));
    for (const response of held.slice(1)) answerJson(response, 200, '{}');
    await expect(Promise.all(calls)).resolves.toHaveLength(61);
  });

  it('uses a client that is passed in and leaves it open', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    const client = new BedrockAgentCoreClient({
      region: 'us-west-2',
      endpoint: server.url,
      credentials: { accessKeyId: 'OWN', secretAccessKey: 'secret' },
    });
    const destroy = vi.spyOn(client, 'destroy');
    new AgentCoreRuntime({ agentRuntimeArn: arn }).close();
    const runtime = new AgentCoreRuntime({ agentRuntimeArn: arn, client });
    await runtime.stop(sessionId);
    runtime.close();
    expect(destroy).not.toHaveBeenCalled();
    expect(server.requests[0]?.headers.authorization).toContain('Credential=OWN/');
    client.destroy();
  });
});

describe('failures', () => {
  const cases: [name: string, status: number, type: string, expected: Partial<RuntimeError>][] = [
    ['429', 429, 'ThrottlingException', { code: 'ART_RUNTIME_THROTTLED', delivery: 'never' }],
    ['402', 402, 'ServiceQuotaExceededException', { code: 'ART_RUNTIME_QUOTA', delivery: 'never' }],
    [
      '409 that passes',
      409,
      'RetryableConflictException',
      { code: 'ART_RUNTIME_CONFLICT', delivery: 'never' },
    ],
    ['409 that stays', 409, 'ConflictException', { code: 'ART_RUNTIME_REJECTED', delivery: 'never' }],
    ['424', 424, 'RuntimeClientError', { code: 'ART_CONTAINER_ERROR', delivery: 'delivered' }],
    ['400', 400, 'ValidationException', { code: 'ART_RUNTIME_REJECTED', delivery: 'never' }],
    ['403', 403, 'AccessDeniedException', { code: 'ART_RUNTIME_REJECTED', delivery: 'never' }],
    ['404', 404, 'ResourceNotFoundException', { code: 'ART_RUNTIME_REJECTED', delivery: 'never' }],
    ['500', 500, 'InternalServerException', { code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' }],
  ];
  it.each(cases)('%s is sent once and sorted by what to do', async (_, status, type, expected) => {
    const error = await failureOf((response) =>
      answerJson(response, status, '{"message":"the very words"}', {
        'x-amzn-errortype': `${type}:http://x/`,
      }),
    );
    expect(error).toMatchObject({ ...expected, httpStatus: status });
    expect(error.message).toContain('the very words');
  });

  it('says what to do about a signature', async () => {
    const message = 'The request signature we calculated does not match';
    const error = await failureOf((response) =>
      answerJson(response, 403, JSON.stringify({ message }), {
        'x-amzn-errortype': 'InvalidSignatureException',
      }),
    );
    expect(error).toMatchObject({ code: 'ART_RUNTIME_REJECTED', delivery: 'never' });
    expect(error.message).toMatch(/AWS_SECRET_ACCESS_KEY/);
  });

  it('reads retry-after and the request id', async () => {
    const error = await failureOf((response) =>
      answerJson(response, 429, '{"message":"New session creation rate exceeded"}', {
        'x-amzn-errortype': 'ThrottlingException',
        'retry-after': '3',
      }),
    );
    expect(error.retryAfterMs).toBe(3000);
  });

  it('takes the status of an HTML page for what it is', async () => {
    const error = await failureOf((response) => {
      response.writeHead(502, { 'content-type': 'text/html', 'x-amzn-requestid': 'rq-9' });
      response.end('<html>Bad Gateway</html>');
    });
    expect(error).toMatchObject({
      code: 'ART_RUNTIME_UNAVAILABLE',
      delivery: 'unknown',
      httpStatus: 502,
      requestId: 'rq-9',
    });
    expect(error.message).toContain('proxy');
  });

  it('does not know what became of a call whose connection broke', async () => {
    const before = await failureOf((response) => response.socket?.destroy());
    expect(before).toMatchObject({
      code: 'ART_RUNTIME_UNAVAILABLE',
      delivery: 'unknown',
      httpStatus: undefined,
    });
    const within = await failureOf((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"sta', () => response.socket?.destroy());
    });
    expect(within).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'unknown' });
  });

  it('a stop that finds no session is no failure', async () => {
    await using server = await startRecordingServer((response) =>
      answerJson(response, 404, '{"message":"not found or already terminated"}', {
        'x-amzn-errortype': 'ResourceNotFoundException',
      }),
    );
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    await expect(runtime.stop(sessionId)).resolves.toEqual({ kind: 'not_found' });
  });

  it('says what to do when there are no credentials, and sends nothing', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    const runtime = new AgentCoreRuntime({
      agentRuntimeArn: arn,
      clientOptions: {
        endpoint: server.url,
        credentials: async () => {
          throw Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' });
        },
      },
    });
    await expect(runtime.invoke(request)).rejects.toMatchObject({
      code: 'ART_RUNTIME_REJECTED',
      delivery: 'never',
      message: expect.stringContaining('AWS_PROFILE'),
    });
    expect(server.requests).toHaveLength(0);
    runtime.close();
  });
});

describe('time and abort', () => {
  it.each(['before the answer', 'within the answer'])('gives up %s after requestTimeoutMs', async (when) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const underWay = Promise.withResolvers<void>();
    await using server = await startRecordingServer((response) => {
      if (when === 'before the answer') return underWay.resolve();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    stubAwsEnvironment(server.url);
    // The SDK logs a call when the head of its answer is there.
    const logger = { debug() {}, info: () => underWay.resolve(), warn() {}, error() {} };
    using runtime = new AgentCoreRuntime({
      agentRuntimeArn: arn,
      requestTimeoutMs: 1_000,
      clientOptions: { logger },
    });
    void underWay.promise.then(() => vi.advanceTimersByTime(1_000));
    await expect(runtime.invoke(request)).rejects.toMatchObject({
      code: 'ART_RUNTIME_UNAVAILABLE',
      delivery: 'unknown',
      message: expect.stringContaining('1000 ms'),
    });
  });

  it('gives a stop 10 s, so that one that was lost can be sent again', async () => {
    await using server = await startRecordingServer(() => {});
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const controller = new AbortController();
    const stop = runtime.stop(sessionId, { signal: controller.signal });
    expect(setTimer.mock.calls.map(([, ms]) => ms)).toContain(10_000);
    controller.abort('enough');
    await expect(stop).rejects.toBe('enough');
    setTimer.mockRestore();
  });

  it.each(['before the answer', 'within the answer'])(
    'aborts %s with the reason of the signal and frees the connection',
    async (when) => {
      let isClosed = false;
      await using server = await startRecordingServer((response) => {
        response.on('close', () => {
          isClosed = true;
        });
        if (when === 'before the answer') return;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
      });
      stubAwsEnvironment(server.url);
      using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
      const controller = new AbortController();
      const call = runtime.invoke(request, { signal: controller.signal });
      await vi.waitFor(() => expect(server.requests).toHaveLength(1));
      controller.abort('enough');
      await expect(call).rejects.toBe('enough');
      await vi.waitFor(() => expect(isClosed).toBe(true));
    },
  );

  it('sends nothing when the signal has aborted already', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    const reason = new Error('too late');
    await expect(runtime.invoke(request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  it('ends running calls when it is closed and takes no further ones', async () => {
    await using server = await startRecordingServer(() => {});
    stubAwsEnvironment(server.url);
    const runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    const call = runtime.invoke(request);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    runtime.close();
    runtime.close();
    await expect(call).rejects.toMatchObject({ code: 'ART_CLOSED' });
    await expect(runtime.stop(sessionId)).rejects.toMatchObject({ code: 'ART_CLOSED' });
  });

  it('leaves no listener on a long-lived signal', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    await runtime.invoke(request, { signal });
    expect(add).toHaveBeenCalled();
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

describe('input', () => {
  it('is checked before anything is sent', async () => {
    await using server = await startRecordingServer((response) => answerJson(response, 200, '{}'));
    stubAwsEnvironment(server.url);
    using runtime = new AgentCoreRuntime({ agentRuntimeArn: arn });
    await expect(runtime.invoke({ sessionId: 'short', body: '{}' })).rejects.toMatchObject({
      code: 'ART_INVALID_SESSION_ID',
    });
    await expect(runtime.stop('short')).rejects.toMatchObject({ code: 'ART_INVALID_SESSION_ID' });
    await expect(runtime.invoke({ sessionId, body: 'x'.repeat(100_000_001) })).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
    });
    await expect(runtime.invoke({ sessionId, body: {} as string })).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['agentRuntimeArn', { agentRuntimeArn: 'arn:aws:s3:::bucket' }, 'ART_INVALID_ARN'],
    ['qualifier', { agentRuntimeArn: arn, qualifier: 'a b' }, 'ART_INVALID_OPTION'],
    ['maxConnections', { agentRuntimeArn: arn, maxConnections: 0 }, 'ART_INVALID_OPTION'],
    ['requestTimeoutMs', { agentRuntimeArn: arn, requestTimeoutMs: 900_001 }, 'ART_INVALID_OPTION'],
    ['userId', { agentRuntimeArn: arn, userId: 'a\r\nb' }, 'ART_INVALID_OPTION'],
    ['client', { agentRuntimeArn: arn, client: {} as never }, 'ART_INVALID_OPTION'],
  ])('refuses a bad %s when it is created', (name, options, code) => {
    const create = (): unknown => new AgentCoreRuntime(options);
    expect(create).toThrow(expect.objectContaining({ code }));
    if (code === 'ART_INVALID_OPTION') expect(create).toThrow(name);
  });
});
