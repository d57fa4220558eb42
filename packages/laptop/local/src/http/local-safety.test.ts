import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalRuntime } from '../index.ts';
import { type RawReply, rawRequest } from '@art/tooling/raw-http';
import { newSessionId, startTiny } from '../tiny-agent.fixture.ts';

let local: LocalRuntime;
let port: number;
let runtimes: string;
const sessionHeader = 'x-amzn-bedrock-agentcore-runtime-session-id';

beforeAll(async () => {
  local = await startTiny();
  port = Number(new URL(local.endpoint).port);
  runtimes = `/runtimes/${encodeURIComponent(local.arnOf('tiny'))}`;
  await rawRequest(port, 'PUT', '/bucket/kept', {}, 'one');
});
afterAll(() => local.close());

const send = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Promise<RawReply> =>
  rawRequest(
    port,
    method,
    path.replace('RT', runtimes),
    { [sessionHeader]: newSessionId(), ...headers },
    body,
  );

/** Everything that can be asked here. */
const routes: [string, string, string][] = [
  ['POST', 'RT/invocations', '{}'],
  ['POST', 'RT/stopruntimesession', '{}'],
  ['POST', 'RT/commands', '{"command":"touch /tmp/never"}'],
  ['GET', 'RT/invocations/.well-known/agent-card.json', ''],
  ['GET', '/_art/metrics', ''],
  ['GET', '/_art/sessions', ''],
  ['GET', '/_art/faults', ''],
  ['GET', '/_art/log', ''],
  ['GET', '/', ''],
  ['GET', '/bucket?list-type=2', ''],
  ['GET', '/bucket/kept', ''],
  ['HEAD', '/bucket/kept', ''],
  ['PUT', '/bucket/written', 'two'],
  ['DELETE', '/bucket/kept', ''],
  ['POST', '/bucket?delete', '<Delete><Object><Key>kept</Key></Object></Delete>'],
  ['PUT', '/new-bucket', ''],
  ['OPTIONS', '/bucket/kept', ''],
  ['OPTIONS', 'RT/invocations', ''],
];

const browsers: [string, Record<string, string>][] = [
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['a form or an image of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ['a page whose name was rebound', { host: 'evil.example', 'sec-fetch-site': 'none' }],
  ['a page whose name was rebound, to this port', { host: 'evil.example:8787' }],
  ['a name that only begins well', { host: '127.0.0.1.evil.example' }],
  ['a name that only ends well', { host: 'evil-localhost' }],
];

describe('no route answers', () => {
  it.each(browsers)('%s', async (_name, headers) => {
    const { startedSessions } = local.metrics();
    const { length } = local.endpointLog();
    for (const [method, path, body] of routes) {
      const { status, body: said, headers: answered } = await send(method, path, headers, body);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(answered['access-control-allow-origin']).toBeUndefined();
      if (method !== 'HEAD') expect(said).toMatch(/Web pages are not answered|Expected the Host header/);
    }
    expect(local.metrics().startedSessions).toBe(startedSessions);
    expect(local.endpointLog()).toHaveLength(length);
  });

  it.each(['localhost', 'bucket.localhost:80', '[::1]:1', '127.1.2.3'])(
    'but programs by %s',
    async (host) => {
      expect((await send('GET', '/bucket/kept', { host })).status).toBe(200);
      expect((await send('GET', '/_art/metrics', { host })).status).toBe(200);
    },
  );
});

it('listens on loopback only', async () => {
  const { address } = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4') ?? { address: undefined };
  expect(new URL(local.endpoint).hostname).toBe('127.0.0.1');
  // A machine without a network has nobody to be protected from.
  if (address === undefined) return;
  const socket = connect(port, address);
  const refused = Promise.withResolvers<string | undefined>();
  socket.once('connect', () => refused.resolve('connected'));
  socket.once('error', (error: NodeJS.ErrnoException) => refused.resolve(error.code));
  expect(await refused.promise).toBe('ECONNREFUSED');
  socket.destroy();
});

describe('commands over HTTP', () => {
  it('are not run unless that was switched on, and the answer says how', async () => {
    const { status, headers, body } = await send('POST', 'RT/commands', {}, '{"command":"true"}');
    expect(status).toBe(403);
    expect(headers['x-amzn-errortype']).toBe('AccessDeniedException');
    expect(JSON.parse(body)).toMatchObject({
      message: expect.stringMatching(/allowCommands: true.*--allow-commands/),
    });
    expect(local.metrics().startedSessions).toBe(0);
  });

  it.each(['echo hello', ' echo  "hello" '])(
    'run nothing for the warm-up %j, but it starts its session',
    async (command) => {
      await using own = await startTiny();
      const { status, headers, body } = await rawRequest(
        Number(new URL(own.endpoint).port),
        'POST',
        `/runtimes/${encodeURIComponent(own.arnOf('tiny'))}/commands`,
        { [sessionHeader]: newSessionId() },
        JSON.stringify({ command, timeout: 60 }),
      );
      expect([status, headers['content-type']]).toEqual([200, 'application/vnd.amazon.eventstream']);
      expect(body).toMatch(
        /"contentStart":\{\}.*"stdout":"hello\\n".*"contentStop":\{"exitCode":0,"status":"COMPLETED"\}/s,
      );
      expect(own.metrics().startedSessions).toBe(1);
    },
  );

  it.each(['echo', 'echo hello world', 'echo hello; id', 'echo hello > f', 'echo $(id)', '/bin/echo hello'])(
    'are not run for being like the warm-up: %j',
    async (command) => {
      const { status } = await send('POST', 'RT/commands', {}, JSON.stringify({ command }));
      expect(status).toBe(403);
    },
  );

  it('need one reading of their body', async () => {
    await using open = await startTiny([], { allowCommands: true });
    const arn = encodeURIComponent(open.arnOf('tiny'));
    for (const body of [
      '{"command":"true","command":"false"}',
      '{"command":"true","\\u0063ommand":"false"}',
      Buffer.from([...Buffer.from('{"command":"a'), 0xff, ...Buffer.from('"}')]),
      '['.repeat(100_000),
      `{"command":"true","x":${'['.repeat(50_000)}${']'.repeat(50_000)},"x":1}`,
      gzipSync('{"command":"true"}'),
    ]) {
      const { status, headers } = await rawRequest(
        Number(new URL(open.endpoint).port),
        'POST',
        `/runtimes/${arn}/commands`,
        { [sessionHeader]: newSessionId() },
        body,
      );
      expect([status, headers['x-amzn-errortype']]).toEqual([400, 'ValidationException']);
    }
    expect(open.metrics().startedSessions).toBe(0);
  });
});

describe('a body that is not what it seems', () => {
  it.each(['RT/invocations', 'RT/stopruntimesession', 'RT/commands'])(
    'is refused compressed by %s',
    async (path) => {
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      const { status, headers, body } = await send('POST', path, { 'content-encoding': 'gzip' }, bomb);
      expect([status, headers['x-amzn-errortype']]).toEqual([400, 'ValidationException']);
      expect(body).toContain('uncompressed');
      expect(local.metrics().startedSessions).toBe(0);
    },
  );

  it('is refused as a compressed document, and kept as a compressed object', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const headers = { 'content-encoding': 'gzip' };
    expect((await send('POST', '/bucket?delete', headers, bomb)).body).toContain(
      '<Code>NotImplemented</Code>',
    );
    expect((await send('PUT', '/bucket/bomb', headers, bomb)).status).toBe(200);
    const stored = await send('HEAD', '/bucket/bomb');
    expect(stored.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(bomb.length),
    });
  });

  it.each<[string, string | Buffer]>([
    ['deep', '<a>'.repeat(500_000)],
    ['wide', `<Delete>${'<Object/>'.repeat(20_000)}</Delete>`],
    [
      'with an entity that grows',
      '<!DOCTYPE d [<!ENTITY a "aaaa">]><Delete><Object><Key>&a;</Key></Object></Delete>',
    ],
    ['with two keys in one object', '<Delete><Object><Key>kept</Key><Key>other</Key></Object></Delete>'],
    ['that is not UTF-8', Buffer.from([...Buffer.from('<Delete><Object><Key>'), 0xff, 0xfe])],
    ['of another kind', '<Erase/>'],
    ['cut off', '<Delete><Object><Key>kept</Key></Object>'],
  ])('is refused as a document that is %s', async (_name, document) => {
    const { status, body } = await send('POST', '/bucket?delete', {}, document);
    expect(status).toBe(400);
    expect(body).toContain('<Code>MalformedXML</Code>');
    expect((await send('GET', '/bucket/kept')).body).toBe('one');
  });

  it('is not deleted on a condition that is not judged', async () => {
    const document = '<Delete><Object><Key>kept</Key><VersionId>v1</VersionId></Object></Delete>';
    expect((await send('POST', '/bucket?delete', {}, document)).status).toBe(501);
    expect((await send('GET', '/bucket/kept')).status).toBe(200);
  });
});

describe('a name that is not what it seems', () => {
  it.each([
    '/bucket/%ff%fe',
    '/bucket/%',
    '/..%2f..%2fetc/passwd',
    '/../etc/passwd',
    '/%2e%2e/key',
    '/bucket%00/key',
    `/bucket/${'a'.repeat(1_025)}`,
    '/-_-/key',
  ])('%s is refused', async (path) => {
    const { status } = await send('PUT', path, {}, 'x');
    expect(status).toBe(400);
  });

  it('is one object, however much it looks like a path', async () => {
    for (const key of [
      'a/../../b',
      '%2e%2e/b',
      '.',
      '..',
      'a%00b',
      'a%0d%0aset-cookie:%20x=1',
      '%5c..%5cb',
    ]) {
      expect((await send('PUT', `/bucket/${key}`, {}, key)).status).toBe(200);
      const got = await send('GET', `/bucket/${key}`);
      expect(got.body).toBe(key);
      expect(got.headers['set-cookie']).toBeUndefined();
    }
  });

  it('puts no header into an answer', async () => {
    const query = 'response-content-type=text%2Fplain%0D%0Aset-cookie%3A%20x%3D1';
    const got = await send('GET', `/bucket/kept?${query}`);
    expect(got.headers['set-cookie']).toBeUndefined();
    expect(got.status).toBe(200);
  });
});
