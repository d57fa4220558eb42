import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { maxPayloadBytes } from '@art/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  invocation,
  resultKey,
  sessionHeader,
  sessionId,
  target,
  testApp,
  type TestApp,
} from '../test-app.fixture.ts';

let running: TestApp | undefined;

afterEach(async () => {
  await running?.app.close();
  running = undefined;
});

async function echoApp(): Promise<string> {
  running = testApp({ invocationHandler: { process: (request) => ({ got: request }) } });
  await running.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${running.app.port}`;
}

/** Sends exactly these headers; `fetch` would add a content type and an Accept. */
async function post(
  url: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | undefined; body: string }> {
  const request = httpRequest(`${url}/invocations`, {
    method: 'POST',
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'],
    body: Buffer.concat(chunks).toString(),
  };
}

describe('the container contract over a socket', () => {
  it.each([
    ['no content type, as boto3 sends it', {}],
    ['octet-stream, as the JS SDK sends it', { 'content-type': 'application/octet-stream' }],
    ['JSON', { 'content-type': 'application/json; charset=utf-8' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['a form, as curl -d sends it', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a header that is no media type', { 'content-type': 'json' }],
    ['a header with an impossible character', { 'content-type': 'a b/c;' }],
    ['Accept: text/event-stream only', { accept: 'text/event-stream' }],
    ['another Host', { host: 'cell01.us-west-2.prod.arp.example' }],
  ])('reads a body with %s as JSON and answers JSON', async (_name, headers) => {
    const answer = await post(await echoApp(), '{"prompt":"hi"}', headers);
    expect(answer).toMatchObject({ status: 200, body: '{"got":{"prompt":"hi"}}' });
    expect(answer.type).toMatch(/^application\/json/);
  });

  it('answers a request without a Host header', async () => {
    const url = new URL(await echoApp());
    const socket = connect(Number(url.port), url.hostname);
    socket.write('GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain('"status":"Healthy"');
  });

  it('takes 20 MB', async () => {
    const text = 'x'.repeat(20_000_000);
    const answer = await post(await echoApp(), JSON.stringify({ text }));
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(text.length + '{"got":{"text":""}}'.length);
  });

  it('refuses what AgentCore would not pass on, by its announced length', async () => {
    const url = new URL(await echoApp());
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /invocations HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${maxPayloadBytes + 1}\r\n\r\n{`,
    );
    let answer = '';
    socket.on('error', () => undefined);
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(answer).toContain('{"error":"Request body is too large"}');
  });

  it.each([
    ['malformed JSON', Buffer.from('{"a":'), 'Invalid JSON'],
    ['an empty body', Buffer.alloc(0), 'Invalid JSON'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'Invalid encoding'],
  ])('answers 400 to %s', async (_name, body, error) => {
    const answer = await post(await echoApp(), body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ error, details: expect.stringMatching(/./) as string });
  });

  it('keeps a byte order mark out of the payload', async () => {
    const answer = await post(await echoApp(), Buffer.from('\ufeff{"a":1}'));
    expect(answer.body).toBe('{"got":{"a":1}}');
  });

  it('answers a rollout before its handler can block the event loop', async () => {
    let answeredFirst: boolean | undefined;
    running = testApp({
      rolloutHandler: {
        process: () => {
          answeredFirst = running?.lines.some((line) => line['message'] === 'request completed');
          return { rewards: 1 };
        },
      },
    });
    await running.app.listen({ port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${running.app.port}`;
    const answer = await post(url, JSON.stringify({ _rollout: target }), sessionHeader);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'processing', result_key: resultKey });
    await vi.waitFor(() => expect(answeredFirst).toBe(true));
  });

  it('serves 404 as JSON', async () => {
    const response = await fetch(`${await echoApp()}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"error":"Not Found"}');
  });
});

describe('what a handler learns about its request', () => {
  it('takes the session and request ids from the headers that the platform sends', async () => {
    const { app } = testApp({
      invocationHandler: {
        process: (_request, context) => ({
          ...context,
          log: undefined,
          signal: undefined,
          prompt: undefined,
        }),
      },
    });
    const answer = await app.inject(
      invocation(
        {},
        {
          ...sessionHeader,
          'x-amzn-requestid': 'req-1',
          workloadaccesstoken: 'old-token',
          oauth2callbackurl: 'https://callback.example',
          authorization: 'Bearer x',
        },
      ),
    );
    expect(answer.json()).toMatchObject({
      sessionId,
      requestId: 'req-1',
      workloadAccessToken: 'old-token',
      oauth2CallbackUrl: 'https://callback.example',
      headers: { authorization: 'Bearer x' },
    });
    const preferred = await app.inject(
      invocation(
        {},
        {
          'x-amzn-requestid': 'req-1',
          'x-amzn-bedrock-agentcore-runtime-request-id': 'req-2',
          workloadaccesstoken: 'old-token',
          'x-amz-bedrock-agentcore-identity-wat': 'new-token',
        },
      ),
    );
    expect(preferred.json()).toMatchObject({ requestId: 'req-2', workloadAccessToken: 'new-token' });
    await app.close();
  });

  it('makes ids up where the headers are absent or empty', async () => {
    const { app } = testApp({
      invocationHandler: { process: (_request, { sessionId, requestId }) => ({ sessionId, requestId }) },
    });
    const uuid = expect.stringMatching(/^[\da-f-]{36}$/) as string;
    const answers = await Promise.all([
      app.inject(invocation({}, {})),
      app.inject(invocation({}, { 'x-amzn-bedrock-agentcore-runtime-session-id': '' })),
    ]);
    const [first, second] = answers.map((answer) => answer.json<Record<string, string>>());
    expect(first).toEqual({ sessionId: uuid, requestId: uuid });
    expect(second).toEqual({ sessionId: uuid, requestId: uuid });
    expect(first?.['sessionId']).not.toBe(second?.['sessionId']);
    await app.close();
  });

  it('reads own content types with own parsers', async () => {
    const { app } = testApp({
      config: {
        contentTypeParsers: [
          {
            contentType: 'text/csv',
            parser: (_request: unknown, body: unknown, done: (error: null, value: unknown) => void) => {
              done(null, { cells: String(body).split(',') });
            },
          },
        ],
      },
      invocationHandler: { process: (request) => request },
    });
    const headers = { 'content-type': 'text/csv' };
    const answer = await app.inject({ method: 'POST', url: '/invocations', headers, payload: 'a,b' });
    expect(answer.json()).toEqual({ cells: ['a', 'b'] });
    expect((await app.inject(invocation({ a: 1 }))).json()).toEqual({ a: 1 });
    await app.close();
  });
});
