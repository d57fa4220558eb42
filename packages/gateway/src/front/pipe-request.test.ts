import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { closeAfterwards } from '../gateway-bench.fixture.ts';
import { CallsInFlight } from '../sessions/calls-in-flight.ts';
import type { FrontContext } from './front-context.ts';
import { pipeRequest } from './pipe-request.ts';
import { ShardLink } from './shard-link.ts';
import type { ShardProcess } from './shard-process.ts';

/** A front with one process behind it, which answers as the listener does; a stale way to it comes first if wanted. */
async function frontBefore(
  listener: RequestListener,
  options: { staleFirst?: boolean } = {},
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'art-pipe-'));
  closeAfterwards(() => rm(directory, { recursive: true, maxRetries: 10 }));
  const path = join(directory, 'a.sock');
  const behind = createServer(listener).listen(path);
  await once(behind, 'listening');
  const [stale, good] = [new ShardLink(join(directory, 'none.sock')), new ShardLink(path)];
  const shard = {
    ready: (than?: ShardLink) =>
      Promise.resolve(than === undefined && options.staleFirst === true ? stale : good),
  } as unknown as ShardProcess;
  const inFlight = new CallsInFlight();
  const context = { inFlight, log: { warn: () => undefined } } as unknown as FrontContext;
  const front = createServer((request, response) => {
    const route = (): { shard: ShardProcess; body: undefined } => ({ shard, body: undefined });
    void pipeRequest(context, { request, response, endpoint: 'chat', route });
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  closeAfterwards(async () => {
    front.closeAllConnections();
    behind.closeAllConnections();
    front.close();
    behind.close();
    await Promise.all([stale.close(), good.close()]);
    expect(inFlight.total).toBe(0);
  });
  return (front.address() as AddressInfo).port;
}

async function send(port: number, body: Buffer, headers = {}): Promise<IncomingMessage> {
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/a?b=%2F', headers });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return reply;
}

const echo: RequestListener = (request, response) => {
  response.writeHead(207, { 'x-url': request.url, 'x-host': request.headers.host, 'x-two': ['a', 'b'] });
  request.pipe(response);
};

it('passes on what is sent and what is answered, whatever its size', async () => {
  const port = await frontBefore(echo);
  for (const size of [0, 1, 5_000_000]) {
    const body = Buffer.alloc(size, 'é');
    const reply = await send(port, body, {
      host: 'somewhere:1',
      ...(size === 1 ? { 'content-length': 1 } : {}),
    });
    expect(reply.statusCode).toBe(207);
    expect(reply.headers).toMatchObject({ 'x-url': '/a?b=%2F', 'x-host': 'somewhere:1', 'x-two': 'a, b' });
    expect((await buffer(reply)).equals(body)).toBe(true);
  }
});

it('takes the next way where the first leads nowhere, with the whole body', async () => {
  const port = await frontBefore(echo, { staleFirst: true });
  const body = Buffer.alloc(300_000, 'x');
  const reply = await send(port, body);
  expect(reply.statusCode).toBe(207);
  expect((await buffer(reply)).equals(body)).toBe(true);
});

it('breaks the connection where an answer breaks off, and tells where there was none', async () => {
  const port = await frontBefore((request, response) => {
    if (request.headers['x-begin'] === undefined) response.destroy();
    else response.write('begun', () => response.destroy());
    request.resume();
  });
  const none = await send(port, Buffer.from('{}'));
  expect([none.statusCode, JSON.parse(String(await buffer(none)))]).toMatchObject([
    502,
    { error: { code: 'gateway_process_lost' } },
  ]);
  const broken = await send(port, Buffer.from('{}'), { 'x-begin': 'yes' });
  await expect(buffer(broken)).rejects.toThrow('aborted');
});

it('holds the process back while the client does not read', { timeout: 20_000 }, async () => {
  let written = 0;
  const port = await frontBefore((request, response) => {
    request.resume();
    const block = Buffer.alloc(1_000_000);
    const more = (): void => {
      while (written < 30) {
        written += 1;
        if (!response.write(block)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const reply = await send(port, Buffer.alloc(0));
  let before = -1;
  // Until everything between the two is full.
  await vi.waitFor(
    () => {
      const isStill = written === before;
      before = written;
      expect(isStill).toBe(true);
    },
    { interval: 200, timeout: 10_000 },
  );
  expect(written).toBeLessThan(20);
  expect((await buffer(reply)).length).toBe(30_000_000);
});
