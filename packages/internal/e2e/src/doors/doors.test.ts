import { request } from 'node:http';
import { connect } from 'node:net';
import { startGateway } from '@art/gateway';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAgent, servers } from './servers.fixture.ts';

const hasty = vi.hoisted(() => ({ isOn: false }));

// What is late is late soon where a test asks for that, at every server of the workspace: they all have their limits from here.
vi.mock(import('@art/ground'), async (importOriginal) => {
  const original = await importOriginal();
  const soon = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 50 };
  return Object.defineProperty({ ...original }, 'requestTimeLimits', {
    enumerable: true,
    get: () => (hasty.isOn ? soon : original.requestTimeLimits) as never,
  });
});

type Headers = Record<string, string>;

async function knock(url: string, method: string, path: string, headers: Headers): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(url);
  const body = method === 'GET' ? undefined : '{}';
  const type = body === undefined ? undefined : { 'content-type': 'application/json' };
  request({ hostname, port, method, path, headers: { ...type, ...headers }, agent: false }, (response) => {
    response.resume();
    done(response.statusCode!);
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/** What the server says until it closes the connection. */
async function talk(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let said = '';
  socket.on('data', (chunk: string) => (said += chunk)).on('error', () => undefined);
  socket.write(text);
  await new Promise((close) => socket.once('close', close));
  return said;
}

/** The statuses of all answers to a request whose body is no body: it comes once the request is answered, or is waited for. */
async function statusesOf(url: string, head: string): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let said = '';
  const answered = Promise.withResolvers<void>();
  socket.on('data', (chunk: string) => {
    said += chunk;
    answered.resolve();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((close) => socket.once('close', () => close()));
  socket.write(head);
  // A server that waits for the body has no answer yet.
  await Promise.race([answered.promise, closed, new Promise((go) => setTimeout(go, 100))]);
  socket.write('no chunk\r\n');
  await closed;
  return [...said.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!);
}

const foreignHosts = [
  'evil.example',
  'evil.example:80',
  '127.0.0.1.nip.io:80',
  '[2001:db8::1]:80',
  '0.0.0.0',
];
const ownHosts = ['127.0.0.1:1', 'localhost', 'app.localhost:3000', '[::1]:80', '127.9.9.9'];
const pages: Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'http://localhost:5173' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
];

/** The answer to a request whose body never comes. */
async function firstAnswer(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(head);
  const said = await new Promise<string>((resolve) => socket.once('data', resolve));
  socket.destroy();
  return said;
}

const slow = {
  'says nothing': '',
  'does not end its headers': 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n',
  'does not end its body':
    'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
};

describe.each(Object.entries(servers))('%s', (_name, { open, paths, hasPages = false }) => {
  it('answers to its own names, and to no page of others', async () => {
    const server = await open();
    onTestFinished(() => server.close());
    for (const [method, path] of paths) {
      const statusFor = (headers: Headers): Promise<number> => knock(server.url, method, path, headers);
      const isRead = method === 'GET';
      for (const host of foreignHosts)
        expect([path, host, await statusFor({ host })]).toEqual([path, host, 403]);
      for (const page of pages) expect([path, page, await statusFor(page)]).toEqual([path, page, 403]);
      if (!hasPages)
        expect([path, await statusFor({ 'sec-fetch-site': 'same-origin' })]).toEqual([path, 403]);
      for (const host of isRead ? ownHosts : [])
        expect([path, await statusFor({ host })]).not.toEqual([path, 403]);
      if (isRead)
        expect(await talk(server.url, `GET ${path} HTTP/1.0\r\n\r\n`)).not.toMatch(/^HTTP\/1\.1 403/);
    }
  });

  it('answers a request once, also where its body breaks after the answer', async () => {
    const server = await open();
    onTestFinished(() => server.close());
    for (const [method, path] of paths) {
      const head = `${method} ${path} HTTP/1.1\r\ncontent-type: text/odd\r\ntransfer-encoding: chunked\r\n`;
      for (const host of ['localhost', 'evil.example'])
        expect([path, host, await statusesOf(server.url, `${head}host: ${host}\r\n\r\n`)]).toEqual([
          path,
          host,
          [expect.stringMatching(/^[2-5]\d\d$/)],
        ]);
    }
  });

  it.each(Object.entries(slow))('closes a connection that %s', async (_what, text) => {
    hasty.isOn = true;
    onTestFinished(() => void (hasty.isOn = false));
    const server = await open();
    onTestFinished(() => server.close());
    expect(await talk(server.url, text)).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
  });
});

describe('the agent server', () => {
  it("answers pages of this machine and nobody else's, under any name", async () => {
    const agent = await openAgent();
    onTestFinished(() => agent.close());
    const statusFor = (headers: Headers): Promise<number> =>
      knock(agent.url, 'POST', '/invocations', headers);
    expect(await statusFor({ host: 'cell-7.internal' })).toBe(200);
    expect(await statusFor({ origin: 'http://localhost:5173' })).toBe(200);
    for (const page of pages.filter(({ origin }) => origin?.includes('localhost') !== true))
      expect(await statusFor(page)).toBe(403);
  });

  it.each(Object.entries(slow))('closes a connection that %s', async (_what, text) => {
    hasty.isOn = true;
    onTestFinished(() => void (hasty.isOn = false));
    const agent = await openAgent();
    onTestFinished(() => agent.close());
    expect(await talk(agent.url, text)).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
  });
});

describe('a key', () => {
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer wrong\r\ncontent-length: 1000000\r\n\r\n`;

  it('is looked at by a gateway before a body is read', async () => {
    const gateway = await startGateway({
      port: 0,
      logLevel: 'silent',
      auth: { sessionKeys: true, adminToken: 'right' },
    });
    onTestFinished(() => gateway.close());
    for (const path of ['/v1/chat/completions', '/sessions/one/v1/messages', '/sessions'])
      expect(await firstAnswer(gateway.url, head(path))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("is looked at by SageMaker's job runtime before a body is read", async () => {
    const jobs = await servers["SageMaker's job runtime"]!.open();
    onTestFinished(() => jobs.close());
    for (const path of ['/v1/chat/completions', '/update-reward'])
      expect(await firstAnswer(jobs.url, head(path))).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a gateway for agents elsewhere', () => {
  it('has any name where the network reaches it, and still answers no page', async () => {
    const gateway = await startGateway({ host: '0.0.0.0', port: 0, logLevel: 'silent' });
    onTestFinished(() => gateway.close());
    const url = `http://127.0.0.1:${gateway.port}`;
    for (const host of foreignHosts) expect(await knock(url, 'GET', '/sessions', { host })).toBe(200);
    for (const page of pages) expect(await knock(url, 'GET', '/sessions', page)).toBe(403);
  });

  it.each(['127.0.0.1', '0.0.0.0'])('at %s has the names that it is told', async (host) => {
    const allowedHosts = ['tunnel.example'];
    const gateway = await startGateway({ host, allowedHosts, port: 0, logLevel: 'silent' });
    onTestFinished(() => gateway.close());
    const url = `http://127.0.0.1:${gateway.port}`;
    expect(await knock(url, 'GET', '/sessions', { host: 'tunnel.example' })).toBe(200);
    expect(await knock(url, 'GET', '/sessions', { host: 'evil.example' })).toBe(403);
  });
});
