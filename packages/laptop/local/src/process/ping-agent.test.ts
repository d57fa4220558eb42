import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pingAgent, type PingObservation } from './ping-agent.ts';

async function ping(listener: RequestListener, timeoutMs = 60_000): Promise<PingObservation> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await pingAgent((server.address() as AddressInfo).port, timeoutMs);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('pingAgent', () => {
  it('reads status and stamp as they are', async () => {
    expect(
      await ping((_, response) => response.end('{"status":"HealthyBusy","time_of_last_update":"x"}')),
    ).toEqual({
      kind: 'answered',
      busy: true,
      stamp: 'x',
    });
  });

  it('takes any 200 for healthy', async () => {
    const healthy = { kind: 'answered', busy: false, stamp: undefined };
    expect(await ping((_, response) => response.end('OK'))).toEqual(healthy);
    expect(await ping((_, response) => response.end('[1]'))).toEqual(healthy);
  });

  it('reports a switch to another protocol', async () => {
    const switching: RequestListener = (request) =>
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\n\r\n');
    expect(await ping(switching)).toEqual({ kind: 'failed', why: 'HTTP 101' });
  });

  it('reports other statuses, silence, and a closed port', async () => {
    expect(await ping((_, response) => response.writeHead(503).end())).toEqual({
      kind: 'failed',
      why: 'HTTP 503',
    });
    expect(await ping(() => {}, 5)).toEqual({ kind: 'failed', why: 'no answer within 5 ms' });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    expect(await pingAgent(port, 60_000)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('does not read an endless answer', async () => {
    const answer = await ping((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(60_000)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    });
    expect(answer).toEqual({ kind: 'failed', why: 'the answer is too long' });
  });
});
