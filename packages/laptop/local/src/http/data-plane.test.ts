import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import { type LocalRuntime, startLocalRuntime } from '../index.ts';
import { newSessionId, tinyAgent } from '../tiny-agent.fixture.ts';

let local: LocalRuntime;
let base: string;
beforeAll(async () => {
  const requestHeaderAllowlist = ['x-tenant'];
  local = await startLocalRuntime({ agents: { tiny: { command: tinyAgent(), requestHeaderAllowlist } } });
  base = `/runtimes/${encodeURIComponent(local.arnOf('tiny'))}`;
});
afterAll(() => local.close());

const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Raw HTTP: `fetch` would add headers of its own, among them an origin for a page. */
async function send(
  path: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const outgoing = request(`${local.endpoint}${path}`, { method, headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

const headersSeenBy = (answer: Answer): Record<string, string> =>
  (JSON.parse(answer.body) as { headers: Record<string, string> }).headers;

describe('InvokeAgentRuntime', () => {
  it('makes a session where none is named and says which', async () => {
    const first = await send(`${base}/invocations`, { body: '{}' });
    expect(first.status).toBe(200);
    expect(first.headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/);
    const sessionId = String(first.headers[sessionHeader]);
    const second = await send(`${base}/invocations?qualifier=DEFAULT`, {
      body: '{}',
      headers: { [sessionHeader]: sessionId },
    });
    expect(JSON.parse(second.body)).toMatchObject({ pid: (JSON.parse(first.body) as { pid: number }).pid });
    expect(second.headers[sessionHeader]).toBe(sessionId);
  });

  it('passes no content type on where none came, and exactly what came otherwise', async () => {
    const headers = { [sessionHeader]: newSessionId() };
    const bare = headersSeenBy(await send(`${base}/invocations`, { body: '{}', headers }));
    expect(bare['content-type']).toBeUndefined();
    expect(bare['accept']).toBeUndefined();
    for (const contentType of ['application/octet-stream', 'text/plain; charset=UTF-8', 'not a type']) {
      const seen = headersSeenBy(
        await send(`${base}/invocations`, {
          body: '{}',
          headers: { ...headers, 'content-type': contentType, accept: 'text/event-stream' },
        }),
      );
      expect(seen['content-type']).toBe(contentType);
      expect(seen['accept']).toBe('text/event-stream');
    }
  });

  it('hands on the session, the request id, the trace and the allowlist, and nothing else', async () => {
    const sessionId = newSessionId();
    const answer = await send(`${base}/invocations`, {
      body: '{}',
      headers: {
        [sessionHeader]: sessionId,
        authorization: 'AWS4-HMAC-SHA256 x',
        cookie: 'a=b',
        'amz-sdk-request': 'attempt=3; max=3',
        'x-tenant': 'blue',
        'x-other': 'lost',
        baggage: 'k=v',
      },
    });
    const seen = headersSeenBy(answer);
    expect(Object.keys(seen).toSorted()).toEqual(
      [
        'baggage',
        'connection',
        'content-length',
        'host',
        sessionHeader,
        'x-amzn-requestid',
        'x-amzn-trace-id',
        'x-tenant',
      ].toSorted(),
    );
    expect(seen['x-amzn-requestid']).toBe(answer.headers['x-amzn-requestid']);
    expect(local.metrics().attempts.find((one) => one.sessionId === sessionId)).toMatchObject({
      invocations: 1,
      delivered: 1,
      highestSdkAttempt: 3,
    });
  });

  it('takes an id with its account for an ARN', async () => {
    const answer = await send('/runtimes/tiny-local00000/invocations?accountId=123456789012', { body: '{}' });
    expect(answer.status).toBe(200);
  });

  it('streams events as they come', async () => {
    const headers = { [sessionHeader]: newSessionId() };
    const outgoing = request(`${local.endpoint}${base}/invocations`, { method: 'POST', headers });
    outgoing.end('{"do":"sse"}');
    // The head is there before any event.
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.headers['content-type']).toBe('text/event-stream');
    const events = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await events.next()).value);
    const release = (): Promise<Answer> => send(`${base}/invocations`, { headers, body: '{"do":"release"}' });
    await release();
    expect(await next()).toBe('data: "one"\n\n');
    await release();
    expect(await next()).toBe('data: "two"\n\n');
    expect((await events.next()).done).toBe(true);
  });

  it.each<[string, string, Record<string, string>, number, string, string | undefined]>([
    [
      'a short session id',
      'BASE/invocations',
      { [sessionHeader]: 'short' },
      400,
      'ValidationException',
      'FieldValidationFailed',
    ],
    [
      'a long session id',
      'BASE/invocations',
      { [sessionHeader]: 'a'.repeat(257) },
      400,
      'ValidationException',
      'FieldValidationFailed',
    ],
    [
      'an odd session id',
      'BASE/invocations',
      { [sessionHeader]: '../'.repeat(12) },
      400,
      'ValidationException',
      'FieldValidationFailed',
    ],
    [
      'an id without account',
      '/runtimes/tiny-local00000/invocations',
      {},
      400,
      'ValidationException',
      'FieldValidationFailed',
    ],
    [
      'another account',
      '/runtimes/tiny-local00000/invocations?accountId=210987654321',
      {},
      404,
      'ResourceNotFoundException',
      undefined,
    ],
    [
      'an unknown agent',
      '/runtimes/arn%3Aaws%3Ax/invocations',
      {},
      404,
      'ResourceNotFoundException',
      undefined,
    ],
    [
      'a web page',
      'BASE/invocations',
      { origin: 'https://evil.example' },
      403,
      'AccessDeniedException',
      undefined,
    ],
    [
      'a page of another port',
      'BASE/commands',
      { 'sec-fetch-site': 'same-site' },
      403,
      'AccessDeniedException',
      undefined,
    ],
  ])('refuses %s and starts nothing', async (_name, path, headers, status, type, reason) => {
    const before = local.metrics().startedSessions;
    const answer = await send(path.replace('BASE', base), { headers, body: '{}' });
    expect(answer.status).toBe(status);
    expect(answer.headers['x-amzn-errortype']).toBe(type);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-amzn-requestid']).toBeDefined();
    expect(JSON.parse(answer.body)).toMatchObject({ message: expect.stringMatching(/./) });
    expect((JSON.parse(answer.body) as { reason?: string }).reason).toBe(reason);
    expect(local.metrics().startedSessions).toBe(before);
  });

  it('refuses more than 100 MB before it reads it', async () => {
    const outgoing = request(`${local.endpoint}${base}/invocations`, {
      method: 'POST',
      headers: { 'content-length': 100_000_001 },
    });
    outgoing.on('error', () => {});
    outgoing.flushHeaders();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(response.headers['x-amzn-errortype']).toBe('ValidationException');
    response.resume();
    outgoing.destroy();
  });
});

describe('StopRuntimeSession', () => {
  const stop = (sessionId: string, clientToken?: string): Promise<Answer> =>
    send(`${base}/stopruntimesession?qualifier=DEFAULT`, {
      headers: { [sessionHeader]: sessionId, 'content-type': 'application/json' },
      body: JSON.stringify({ clientToken }),
    });

  it('gives the same answer to the same token, and 404 to another', async () => {
    const sessionId = newSessionId();
    const token = randomUUID();
    await send(`${base}/invocations`, { headers: { [sessionHeader]: sessionId }, body: '{}' });
    expect(await stop(sessionId, token)).toMatchObject({ status: 200, body: '{}' });
    expect(await stop(sessionId, token)).toMatchObject({ status: 200, body: '{}' });
    const other = await stop(sessionId, randomUUID());
    expect(other.status).toBe(404);
    expect(other.headers['x-amzn-errortype']).toBe('ResourceNotFoundException');
    expect(other.body).toContain('not found or already terminated');
    expect((await stop(sessionId)).status).toBe(404);
  });

  it('repeats a 404 as well, although the session has come since', async () => {
    const sessionId = newSessionId();
    const token = randomUUID();
    expect((await stop(sessionId, token)).status).toBe(404);
    await send(`${base}/invocations`, { headers: { [sessionHeader]: sessionId }, body: '{}' });
    expect((await stop(sessionId, token)).status).toBe(404);
    expect((await stop(sessionId)).status).toBe(200);
  });

  it('needs a session id and a JSON body', async () => {
    expect((await send(`${base}/stopruntimesession`, { body: '{}' })).status).toBe(400);
    const garbage = await send(`${base}/stopruntimesession`, {
      headers: { [sessionHeader]: newSessionId() },
      body: 'nonsense',
    });
    expect(JSON.parse(garbage.body)).toMatchObject({ reason: 'CannotParse' });
  });
});

describe('diagnostics', () => {
  it('show metrics and sessions as JSON, to programs only', async () => {
    const get = async (path: string): Promise<unknown> =>
      JSON.parse((await send(path, { method: 'GET' })).body) as unknown;
    // Sessions of other tests are still on their way out, so both views are compared until they were taken at rest.
    await eventually(async () => expect(await get('/_art/metrics')).toEqual(local.metrics()));
    await eventually(async () =>
      expect(await get('/_art/sessions')).toEqual(JSON.parse(JSON.stringify({ sessions: local.sessions() }))),
    );
    expect((await send('/_art/metrics', { method: 'GET', headers: { origin: 'http://a.b' } })).status).toBe(
      403,
    );
  });
});
