import { once } from 'node:events';
import { createServer, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { probeEndpoint } from './endpoint-probe.ts';

const running: Server[] = [];
const accepted: Socket[] = [];
const never = new AbortController().signal;

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of accepted.splice(0)) socket.destroy();
  for (const server of running.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

/** A server that accepts connections and never says more than this. */
async function accepting(words = '', host = '127.0.0.1'): Promise<number> {
  const server = createServer((socket) => {
    accepted.push(socket.on('error', () => undefined));
    if (words !== '') socket.end(words);
  });
  running.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const port = await accepting();
  const server = running.pop()!;
  server.close();
  await once(server, 'close');
  return port;
}

const probe = (url: string, signal = never, lookup?: LookupFunction) =>
  probeEndpoint(new URL(url), signal, lookup);

describe('the probe of a model endpoint', () => {
  it('finds one that accepts connections, whatever it would answer', async () => {
    expect(await probe(`http://127.0.0.1:${await accepting()}/sessions/a/v1`)).toBeUndefined();
    const lookup: LookupFunction = (_name, _options, done) =>
      process.nextTick(done, null, [{ address: '127.0.0.1', family: 4 }]);
    expect(await probe(`http://localhost:${await accepting()}/v1`, never, lookup)).toBeUndefined();
  });

  it('reads an address of IPv6', async () => {
    const port = await accepting('', '::1').catch(() => undefined);
    if (port !== undefined) expect(await probe(`http://[::1]:${port}/v1`)).toBeUndefined();
    expect(await probe(`http://[::1]:${await closedPort()}/v1`)).toMatch(/::1/);
  });

  it.each([
    [
      'a port at which nobody listens',
      async () => `http://127.0.0.1:${await closedPort()}/v1`,
      /ECONNREFUSED/,
    ],
    [
      'a handshake that gets no answer',
      async () => `https://127.0.0.1:${await accepting()}/v1`,
      /^127\.0\.0\.1:\d+ accepted no connection within 1000 ms$/,
    ],
  ])('says why it does not reach %s', async (_name, url, reason) => {
    expect(await probe(await url())).toMatch(reason);
  });

  it('says that nobody knows a name', async () => {
    // As the system's fails; what a real name server takes for its answer is not up to this test.
    const lookup: LookupFunction = (name, _options, done) =>
      done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '');
    const url = 'http://gateway.invalid/v1';
    expect(await probe(url, never, lookup)).toBe('getaddrinfo ENOTFOUND gateway.invalid');
  });

  it('says what is wrong with TLS', async () => {
    const port = await accepting('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await probe(`https://127.0.0.1:${port}/v1`)).toMatch(/SSL|TLS|ECONNRESET|disconnected/i);
  });

  it('says nothing where clients go through a proxy, and where its rollout is ended', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/v1`;
    expect(await probe(url, AbortSignal.abort())).toBeUndefined();
    const ended = new AbortController();
    const probing = probe(`https://127.0.0.1:${await accepting()}/v1`, ended.signal);
    ended.abort();
    expect(await probing).toBeUndefined();
    vi.stubEnv('https_proxy', 'http://proxy:3128');
    expect(await probe(url)).toBeUndefined();
  });
});
