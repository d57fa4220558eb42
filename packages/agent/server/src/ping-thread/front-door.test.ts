import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { testApp, type TestApp } from './test-app.fixture.ts';

let made: TestApp | undefined;

afterEach(async () => {
  await made?.app.close();
  made = undefined;
});

async function listen(options: Parameters<typeof testApp>[0] = {}): Promise<URL> {
  made = testApp({ invocationHandler: { process: (request) => ({ got: request }) }, ...options });
  return listenAs(made);
}

async function listenAs({ app }: TestApp): Promise<URL> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return new URL(`http://127.0.0.1:${app.port}`);
}

/** Sends bytes and reads until the server closes the connection. */
async function exchange(url: URL, ...parts: string[]): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  for (const part of parts) {
    socket.write(part);
    await turn();
  }
  return read(socket);
}

async function read(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4);

describe('the front door', () => {
  it('serves pings and other requests in turn on one connection, also when they are sent at once', async () => {
    const url = await listen();
    const ping = 'GET /ping HTTP/1.1\r\n\r\n';
    const post = 'POST /invocations HTTP/1.1\r\nContent-Length: 7\r\n\r\n{"a":1}';
    const last = 'GET /ping?last HTTP/1.1\r\nConnection: close\r\n\r\n';
    const answer = await exchange(url, `${ping}${post}${ping}${post}${last}`);
    const bodies = answer.match(/\{"(got|status)"/g);
    expect(bodies).toEqual(['{"status"', '{"got"', '{"status"', '{"got"', '{"status"']);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(5);
  });

  it('answers pings as the main thread does', async () => {
    const url = await listen();
    const answer = await fetch(new URL('ping', url));
    const injected = await made!.app.inject('/ping');
    expect(await answer.json()).toEqual(injected.json());
    expect(answer.headers.get('content-type')).toBe(injected.headers['content-type']);
    const head = await fetch(new URL('ping', url), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(new URL('ping', url), { method: 'POST' })).status).toBe(404);
  });

  it('follows tasks and forced statuses at once, and the ping handler', async () => {
    const url = await listen();
    const app = made!.app;
    const status = async (): Promise<unknown> =>
      ((await (await fetch(new URL('ping', url))).json()) as { status: string }).status;
    expect(await status()).toBe('Healthy');
    const id = app.addAsyncTask('work');
    expect(await status()).toBe('HealthyBusy');
    app.forcePingStatus('Healthy');
    expect(await status()).toBe('Healthy');
    app.clearForcedPingStatus();
    expect(await status()).toBe('HealthyBusy');
    app.completeAsyncTask(id);
    expect(await status()).toBe('Healthy');
    let said: 'Healthy' | 'HealthyBusy' = 'HealthyBusy';
    app.ping(() => said);
    // The thread asks the handler, and takes its last word where the main thread is held up.
    await expect.poll(status).toBe('HealthyBusy');
    said = 'Healthy';
    await expect.poll(status).toBe('Healthy');
  });

  it('passes headers on as they came, without those of the connection', async () => {
    const url = await listen({
      invocationHandler: { process: (_request, { headers }) => headers },
    });
    const answer = await exchange(
      url,
      'POST /invocations HTTP/1.1\r\nHost: cell01\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: close, X-Twice\r\n' +
        'Keep-Alive: timeout=5\r\nTE: trailers\r\nContent-Length: 2\r\n\r\n{}',
    );
    const headers = JSON.parse(bodyOf(answer)) as Record<string, string>;
    expect(headers).toMatchObject({ host: 'cell01', 'x-twice': '1, 2' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['te']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['keep-alive']));
  });

  it('passes a chunked body on', async () => {
    const url = await listen();
    const answer = await exchange(
      url,
      'POST /invocations HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n{"a\r\n',
      '4\r\n":1}\r\n0\r\n\r\n',
    );
    expect(answer).toContain('{"got":{"a":1}}');
  });

  describe('refuses, and takes nothing of it for another request,', () => {
    const ran = vi.fn(() => ({ ran: true }));
    const shared = testApp({ invocationHandler: { process: ran } });
    let url: URL;
    beforeAll(async () => {
      url = await listenAs(shared);
    });
    afterAll(() => shared.app.close());

    it.each([
      ['both framings', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['both framings the other way round', 'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}'],
      ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
      ['a list of lengths', 'Content-Length: 2, 2\r\n\r\n{}'],
      ['a length that is no number', 'Content-Length: +2\r\n\r\n{}'],
      ['a negative length', 'Content-Length: -2\r\n\r\n{}'],
      ['a coding that is not chunked', 'Transfer-Encoding: gzip\r\n\r\n{}'],
      ['a coding before chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
      ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
      ['a folded header', 'X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
      ['a bare line feed', 'X-A: 1\nContent-Length: 2\r\n\r\n{}'],
      ['a carriage return in a value', 'X-A: 1\rX-B: 2\r\nContent-Length: 2\r\n\r\n{}'],
      ['a null in a value', 'X-A: 1\0\r\nContent-Length: 2\r\n\r\n{}'],
      ['a chunk size with a sign', 'Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n'],
    ])('one with %s', async (_name, rest) => {
      const smuggled = 'POST /invocations HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}';
      const answer = await exchange(
        url,
        `POST /invocations HTTP/1.1\r\nHost: a\r\n${rest}`,
        `${smuggled}GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (400|501) /);
      expect(ran).not.toHaveBeenCalled();
    });
  });

  it('says what is wrong also to a caller that is still sending', async () => {
    const url = await listen();
    const answer = await exchange(url, 'NOT HTTP\r\n\r\n', ...Array<string>(50).fill('x'.repeat(100_000)));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('streams events as they come, and tells the handler when their reader has gone', async () => {
    const gate = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const url = await listen({
      invocationHandler: {
        process: async function* (_request, { signal }) {
          signal.addEventListener('abort', () => aborted.resolve(), { once: true });
          yield { n: 1 };
          await gate.promise;
          yield { n: 2 };
          await aborted.promise;
        },
      },
    });
    const request = httpRequest(new URL('/invocations', url), { method: 'POST' });
    request.on('error', () => undefined);
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(String((await once(response, 'data'))[0])).toBe('data: {"n":1}\n\n');
    gate.resolve();
    expect(String((await once(response, 'data'))[0])).toBe('data: {"n":2}\n\n');
    request.destroy();
    await aborted.promise;
  });

  it('breaks the connection of an answer that breaks off', async () => {
    made = testApp();
    made.app.fastify.get('/broken', (_request, reply) => {
      reply.raw.writeHead(200, { 'content-length': 10 });
      reply.raw.write('half');
      setImmediate(() => reply.raw.destroy());
    });
    await made.app.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`http://127.0.0.1:${made.app.port}/broken`).then(
      (response) => response.text(),
      (error: unknown) => error,
    );
    expect(answer).toBeInstanceOf(Error);
  });

  it('answers a ping also where the request wants to change the protocol', async () => {
    const url = await listen();
    const answer = await exchange(
      url,
      'GET /ping HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"status":"Healthy"/);
  });

  it('answers other requests that want to change the protocol as if they did not', async () => {
    const url = await listen();
    const answer = await exchange(
      url,
      'POST /invocations HTTP/1.1\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\nContent-Length: 7\r\n\r\n{"a"',
      ':1}',
    );
    expect(answer).toContain('{"got":{"a":1}}');
  });

  it('delivers an answer that was given just before the end', async () => {
    const gate = Promise.withResolvers<object>();
    const started = Promise.withResolvers<void>();
    const url = await listen({
      invocationHandler: {
        process: () => {
          started.resolve();
          return gate.promise;
        },
      },
    });
    const answer = fetch(new URL('invocations', url), { method: 'POST', body: '{}' });
    await started.promise;
    const closing = made!.app.close();
    gate.resolve({ text: 'x'.repeat(100_000) });
    expect(((await (await answer).json()) as { text: string }).text).toHaveLength(100_000);
    await closing;
    await expect(fetch(new URL('ping', url))).rejects.toThrow('fetch failed');
  });
});
