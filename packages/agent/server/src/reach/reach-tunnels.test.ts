import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ManualClock } from '@art/ground/testing';
import { defaultReachLimits, writeHead, writeHello } from '@art/protocol/reach';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { AgentCoreRLAppOptions } from '../app-options.ts';
import type { RequestContext } from '../request/request-context.ts';
import { invocation, rip, sessionId, target, testApp, type TestApp, resultKey } from '../test-app.fixture.ts';
import { ReachTunnels } from './reach-tunnels.ts';
import { answerText, TrainerEnd } from './trainer-end.fixture.ts';

const secret = 's'.repeat(43);
const path = `/sessions/${sessionId}/v1`;
const config = { base_url: `http://reach.invalid${path}`, reach: { version: 1, secret } };

let made: TestApp;
const ends: TrainerEnd[] = [];

afterEach(async () => {
  await made.app.close();
  for (const end of ends.splice(0)) end.socket.terminate();
});

interface Running {
  context: RequestContext;
  request: unknown;
  /** Ends the rollout. */
  finish: (value?: object | Promise<object>) => void;
}

/** A rollout that continues until it is told to end. */
async function running(options: Partial<AgentCoreRLAppOptions> = {}, payload: object = { _config: config }) {
  const started = Promise.withResolvers<Running>();
  const finished = Promise.withResolvers<object>();
  made = testApp({
    invocationHandler: {
      process: (request: unknown, context: RequestContext) => {
        started.resolve({ context, request, finish: (value = {}) => finished.resolve(value) });
        context.signal.addEventListener('abort', () => finished.resolve({}));
        return finished.promise;
      },
    },
    ...options,
  });
  await made.app.listen({ port: 0, host: '127.0.0.1' });
  const reply = await made.app.inject(invocation(rip('start', randomUUID(), payload, true)));
  expect(reply.statusCode).toBe(200);
  return started.promise;
}

async function dial(
  hello: Partial<{ sessionId: string; secret: string; isOnly: boolean; query: string }> = {},
) {
  const end = await TrainerEnd.open(made.app.port!, { sessionId, secret, ...hello });
  ends.push(end);
  return end;
}

function ask(context: RequestContext, more: RequestInit & { path?: string } = {}): Promise<Response> {
  const { path: below = '/chat/completions', ...init } = more;
  return fetch(context.rollout!.baseUrl! + below, { method: 'POST', body: '{}', ...init });
}

function document(): Promise<unknown> {
  return vi.waitFor(async () => {
    const stored = await made.stored(resultKey);
    expect(stored).toBeDefined();
    return stored;
  });
}

describe('a rollout whose gateway has no address', () => {
  it('gets one on loopback, and neither handler nor document has the secret', async () => {
    const { context, request, finish } = await running({}, { _rollout: { ...config, ...target } });
    expect(context.rollout!.baseUrl).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`));
    expect(JSON.stringify([request, context.rollout])).not.toContain(secret);
    finish({ seen: `the secret is ${secret}` });
    await vi.waitFor(async () => expect(await made.stored(resultKey)).toBeDefined());
    expect(JSON.stringify([await made.stored(resultKey), made.lines])).not.toContain(secret);
    // With the rollout its address goes, too.
    await expect.poll(() => ask(context).catch(() => 'gone')).toBe('gone');
  });

  it('has its calls answered through the socket, also those that came before', async () => {
    const { context } = await running();
    const early = ask(context, { path: '/chat/completions?a=b', body: 'x'.repeat(300_000) });
    const end = await dial();
    end.answer = answerText(201, 'one ', 'two');
    const reply = await early;
    expect([reply.status, await reply.text(), reply.headers.get('x-twice')]).toEqual([
      201,
      'one two',
      'a, b',
    ]);
    const [call] = end.calls;
    expect(call!.head).toMatchObject({
      method: 'POST',
      path: `${path}/chat/completions?a=b`,
      bodyBytes: 300_000,
    });
    expect(Buffer.concat(call!.body).length).toBe(300_000);
  });

  it('sends none of its credentials', async () => {
    const { context } = await running();
    const end = await dial();
    end.answer = answerText(200);
    await ask(context, { headers: { authorization: 'Bearer a', 'x-api-key': 'b', 'x-art-label': 'solver' } });
    const headers = end.calls[0]!.head.headers.join(' ').toLowerCase();
    expect(headers).toContain('x-art-label solver');
    expect(headers).not.toMatch(/authorization|x-api-key|host|content-length/);
  });

  it.each([
    ['quotation marks', '"'.repeat(10_000)],
    ['letters with accents', 'ü'.repeat(9_000)],
  ])(
    'refuses a head that is too large for the tunnel, %s, and no other call notices',
    async (_what, large) => {
      const { context } = await running();
      const end = await dial();
      const other = ask(context);
      await vi.waitFor(() => expect(end.calls).toHaveLength(1));
      const refused = await ask(context, { headers: { 'x-large': large } });
      expect([refused.status, await refused.text()]).toEqual([
        431,
        expect.stringContaining('of at most 16384 bytes') as string,
      ]);
      answerText(200, 'yes')(end.calls[0]!);
      expect(await (await other).text()).toBe('yes');
      expect([end.calls.length, end.link.hasEnded]).toEqual([1, false]);
    },
  );

  it.each(['/../../other/v1/x', '/%2e%2e/x', '//x', '/..%2fx'])('passes no path %s on', async (below) => {
    const { context } = await running();
    const end = await dial();
    const { port, pathname } = new URL(context.rollout!.baseUrl!);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}${below} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*Call the base_url of the rollout/s);
    expect(end.calls).toEqual([]);
  });

  it('answers no web page, no other host, no absolute target and no CONNECT', async () => {
    const { context } = await running();
    const { port, pathname } = new URL(context.rollout!.baseUrl!);
    const send = (head: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${head}\r\nconnection: close\r\n\r\n`);
      return text(socket);
    };
    expect(await send(`GET ${pathname}/x HTTP/1.1\r\nhost: evil.example`)).toMatch(/^HTTP\/1\.1 403/);
    expect(await send(`GET ${pathname}/x HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://evil`)).toMatch(
      /^HTTP\/1\.1 403/,
    );
    expect(await send(`GET http://evil.example${pathname}/x HTTP/1.1\r\nhost: 127.0.0.1`)).toMatch(
      /^HTTP\/1\.1 403/,
    );
    expect(await send('CONNECT evil.example:443 HTTP/1.1\r\nhost: 127.0.0.1').catch(() => '')).not.toMatch(
      / 200/,
    );
  });

  it.each([
    ['another secret', { secret: 'x'.repeat(43) }],
    ['a shorter one', { secret: 's' }],
    ['another session', { sessionId: 'x'.repeat(36) }],
  ])('takes no socket with %s', async (_what, hello) => {
    const { context } = await running();
    const wrong = await dial(hello);
    expect(await wrong.ended).toMatchObject({ code: 'ART_REACH_REFUSED' });
    const reply = ask(context);
    const right = await dial();
    right.answer = answerText(200, 'yes');
    expect(await (await reply).text()).toBe('yes');
    expect(wrong.calls).toEqual([]);
  });

  it('a second socket with the secret replaces the first', async () => {
    const { context } = await running();
    const first = await dial();
    await first.welcomed;
    const second = await dial();
    second.answer = answerText(200, 'second');
    expect(await first.ended).toMatchObject({ code: 'ART_REACH_LOST' });
    expect(await (await ask(context)).text()).toBe('second');
  });

  it.each([{}, { websocketHandler: () => {} }])(
    'tells the names in the query of its handshake',
    async (options) => {
      await running(options);
      const end = await dial({ query: '?X-Amzn-Session=s&a=%20' });
      expect(await end.welcomed).toEqual({ queryNames: ['X-Amzn-Session', 'a'] });
    },
  );

  it('calls run out on the first where the second only renews it', async () => {
    const { context } = await running();
    const first = await dial();
    const old = ask(context);
    await vi.waitFor(() => expect(first.calls).toHaveLength(1));
    const second = await dial({ isOnly: false });
    await second.welcomed;
    second.answer = answerText(200, 'new');
    expect(await (await ask(context)).text()).toBe('new');
    answerText(200, 'old')(first.calls[0]!);
    expect(await (await old).text()).toBe('old');
  });

  it('sends a call again whose socket was lost, unless the trainer has passed it on', async () => {
    const { context } = await running();
    const first = await dial();
    const [unseen, seen] = [ask(context, { body: 'unseen' }), ask(context, { body: 'seen' })];
    await vi.waitFor(() => expect(first.calls).toHaveLength(2));
    first.socket.terminate();
    const second = await dial();
    second.answer = (call) => {
      if (Buffer.concat(call.body).toString() === 'seen') call.stream.reset('seen');
      else answerText(200, 'again')(call);
    };
    expect(await (await unseen).text()).toBe('again');
    const refused = await seen;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    // As the clients of OpenAI and Anthropic read it.
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('tried again') as string },
    });
    const numbers = (end: TrainerEnd): number[] => end.calls.map(({ head }) => head.call);
    expect(numbers(second)).toEqual(numbers(first));
  });

  it('sends no call a third time under which two sockets broke before it was read', async () => {
    const { context } = await running();
    const reply = ask(context, { method: 'GET', body: null });
    const taken = ask(context);
    for (const _ of [1, 2]) {
      const end = await dial();
      await vi.waitFor(() => expect(end.calls).toHaveLength(2));
      await Promise.all(end.calls.map(({ whole }) => whole));
      // The answer comes when the agent's end knows that the call with a body was read.
      await new Promise<void>((resolve) => end.link.ping(undefined, () => resolve()));
      end.socket.terminate();
    }
    const refused = await reply;
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining('broke 2 times under this call') as string,
    ]);
    const third = await dial();
    third.answer = answerText(200, 'read before');
    expect(await (await taken).text()).toBe('read before');
  });

  it.each<[string, () => object | Promise<object>]>([
    ['throws its own error', () => Promise.reject(new TypeError('no answer to read'))],
    ['returns as if nothing had happened', () => ({ reward: 0 })],
  ])('is no failure of an agent that %s when all its calls were refused', async (_what, value) => {
    const { context, finish } = await running({}, { _rollout: { ...config, ...target } });
    const end = await dial();
    end.answer = ({ stream }) => stream.reset('The trainer could not reach the gateway');
    expect((await ask(context)).status).toBe(503);
    finish(value());
    expect(await document()).toMatchObject({
      status_code: 503,
      stop_reason: 'infrastructure_error',
      message: expect.stringContaining('answered none of the calls') as string,
    });
  });

  it.each<[string, RequestInit]>([
    ['sent a head that is too large', { headers: { 'x-large': '"'.repeat(10_000) } }],
    ['was answered once', {}],
  ])('is a failure of an agent that %s', async (_what, init) => {
    const { context, finish } = await running({}, { _rollout: { ...config, ...target } });
    const end = await dial();
    end.answer = answerText(400);
    expect((await ask(context, init)).status).toBeLessThan(500);
    end.answer = ({ stream }) => stream.reset('The trainer could not reach the gateway');
    if (end.calls.length > 0) await ask(context);
    finish(Promise.reject(new TypeError('no answer to read')));
    expect(await document()).toMatchObject({ status_code: 500 });
  });

  it('breaks an answer off whose socket is lost in the middle', async () => {
    const { context } = await running();
    const end = await dial();
    end.answer = ({ stream }) => {
      stream.head(writeHead({ status: 200, headers: [] }));
      stream.data(Buffer.from('half'));
    };
    const reply = await ask(context);
    const reader = reply.body!.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('half');
    end.socket.terminate();
    await expect(reader.read()).rejects.toThrow('terminated');
  });

  it('tells the trainer when the agent has gone', async () => {
    const { context } = await running();
    const end = await dial();
    const controller = new AbortController();
    const reply = ask(context, { signal: controller.signal });
    await vi.waitFor(() => expect(end.calls).toHaveLength(1));
    controller.abort();
    await expect(reply).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(end.link.streams).toBe(0));
  });

  it('has sixty-four calls on their way at most, and the others wait', async () => {
    const { context } = await running();
    const end = await dial();
    const replies = Array.from({ length: 70 }, () => ask(context));
    await vi.waitFor(() => expect(end.calls).toHaveLength(64));
    end.answer = answerText(200);
    for (const call of end.calls.slice()) answerText(200)(call);
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect([new Set(statuses), end.calls.length]).toEqual([new Set([200]), 70]);
  });

  it('refuses what it does not understand before anything is started', async () => {
    made = testApp({ invocationHandler: { process: () => ({}) } });
    for (const reach of [undefined, { version: 2, secret }, { version: 1, secret: 'short' }]) {
      const reply = await made.app.inject(
        invocation(rip('start', randomUUID(), { _config: { ...config, reach } }, true)),
      );
      expect([reply.statusCode, reply.body]).toEqual([
        400,
        expect.stringContaining('Expected reach') as string,
      ]);
    }
  });
});

describe('/ws', () => {
  it('has sixteen sockets at most, and those without a hello for ten seconds', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const clock = new ManualClock();
    const tunnels = new ReachTunnels(() => server, clock);
    onTestFinished(async () => {
      await tunnels.close();
      server.close();
    });
    await tunnels.open({ _config: config }, sessionId);
    const { port } = server.address() as AddressInfo;
    let closed = 0;
    const opened = Array.from({ length: 20 }, () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
      socket.on('error', () => {}).on('close', () => (closed += 1));
      return socket;
    });
    await expect.poll(() => closed).toBe(4);
    await expect.poll(() => opened.filter(({ readyState }) => readyState === WebSocket.OPEN).length).toBe(16);
    clock.advance(9_999);
    const refused = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    await expect(once(refused, 'open')).rejects.toThrow('404');
    expect(closed).toBe(4);
    clock.advance(1);
    await expect.poll(() => closed).toBe(20);
    const end = await TrainerEnd.open(port, { sessionId, secret });
    await end.welcomed;
    clock.advance(20_000);
    expect(end.link.hasEnded).toBe(false);
  });

  it('is not there without such a rollout', async () => {
    made = testApp({ invocationHandler: { process: () => ({}) } });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`);
    expect(((await once(socket, 'error')) as [Error])[0].message).toContain('404');
  });

  it('is no tunnel for a web page, also of this machine, that knows the secret', async () => {
    await running();
    const origin = 'http://localhost:5173';
    const page = new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`, { origin });
    await expect(once(page, 'open')).rejects.toThrow('403');
    await made.app.close();
    await running({ websocketHandler: (socket) => socket.send('of the app') });
    const other = new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`, { origin });
    const limits = defaultReachLimits;
    const hello = Buffer.from(JSON.stringify(writeHello({ sessionId, secret, isOnly: true, limits })));
    // The first record of a trainer: its type, no stream, its length.
    const record = Buffer.concat([
      Buffer.from([1, 0, 0, 0, 0, 0, 0, hello.length >> 8, hello.length & 255]),
      hello,
    ]);
    other.once('open', () => other.send(record));
    expect(String(((await once(other, 'message')) as [Buffer])[0])).toBe('of the app');
    other.terminate();
  });

  it("goes to the app's own handler where it is no trainer's, with its first message", async () => {
    const websocketHandler: AgentCoreRLAppOptions['websocketHandler'] = (socket) => {
      socket.on('message', (message) => socket.send(`got ${(message as Buffer).toString()}`));
    };
    const { context } = await running({ websocketHandler });
    const end = await dial();
    end.answer = answerText(200, 'yes');
    expect(await (await ask(context)).text()).toBe('yes');
    const own = new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`);
    await once(own, 'open');
    own.send('hi');
    expect(((await once(own, 'message')) as [Buffer])[0].toString()).toBe('got hi');
    own.terminate();
  });

  it("goes to the app's own handler where the other side waits for its word", async () => {
    const { context } = await running({ websocketHandler: (socket) => socket.send('welcome') });
    expect(context.rollout?.baseUrl).toContain('127.0.0.1');
    const own = new WebSocket(`ws://127.0.0.1:${made.app.port}/ws`);
    expect(((await once(own, 'message')) as [Buffer])[0].toString()).toBe('welcome');
    own.terminate();
  });
});
