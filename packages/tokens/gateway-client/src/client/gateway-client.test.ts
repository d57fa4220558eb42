import { describe, expect, it } from 'vitest';
import { sampleRow } from '@art/trajectories/testing';
import { GatewayClient } from './gateway-client.ts';
import type { GatewayClientOptions } from './gateway-client-options.ts';
import { GatewayError } from './gateway-error.ts';
import { startGatewayServer, type GatewayServer } from './gateway-server.fixture.ts';

type Client = GatewayClient;

/** Each method, what it sends, what is answered, and what it makes of it. */
const calls: [
  name: string,
  call: (client: Client) => Promise<unknown>,
  sent: [method: string, url: string, body?: unknown],
  answered: unknown,
  result: unknown,
][] = [
  ['health', (c) => c.health(), ['GET', '/health'], { status: 'ok' }, undefined],
  [
    'workersHealth',
    (c) => c.workersHealth(),
    ['GET', '/health/workers'],
    { workers: [], healthy: 0, total: 0 },
    { workers: [], healthy: 0, total: 0 },
  ],
  [
    'createTrajectory',
    (c) => c.createTrajectory({ sessionId: 's', maxTurns: 3, samplingDefaults: { top_k: 1 }, groupId: null }),
    [
      'POST',
      '/trajectories',
      { session_id: 's', sampling_defaults: { top_k: 1 }, max_turns: 3, group_id: null },
    ],
    { session_id: 's', api_key: 'k', base_url: 'u' },
    { session_id: 's', api_key: 'k', base_url: 'u' },
  ],
  ['trajectory', (c) => c.trajectory('s'), ['GET', '/trajectories/s'], { turns: 1 }, { turns: 1 }],
  [
    'finishTrajectory',
    (c) => c.finishTrajectory('s', { reward: 1, groupId: 'g', metadata: { a: 1 }, waitTimeoutMs: 2_500 }),
    [
      'POST',
      '/trajectories/s/finish',
      { reward: 1, base: { group_id: 'g' }, extra_metadata: { a: 1 }, wait_timeout_s: 2.5 },
    ],
    { session_id: 's', records: [sampleRow()] },
    [sampleRow()],
  ],
  [
    'sessions',
    (c) => c.sessions({ sinceMs: 1_500, limit: 2 }),
    ['GET', '/sessions?since=1.5&limit=2'],
    [{ session_id: 's' }],
    [{ session_id: 's' }],
  ],
  [
    'session',
    (c) => c.session('exp/1:a b'),
    ['GET', '/sessions/exp/1:a%20b'],
    { session_id: 'exp/1:a b', metadata: { n: 2n ** 60n } },
    { session_id: 'exp/1:a b', metadata: { n: 2n ** 60n } },
  ],
  ['captures', (c) => c.captures('s', { limit: 0 }), ['GET', '/sessions/s/traces?limit=0'], [], []],
  [
    'captures, one a call',
    (c) => c.captures('s', { choices: 'first' }),
    ['GET', '/sessions/s/traces?choices=first'],
    [],
    [],
  ],
  ['trace', (c) => c.capture('t'), ['GET', '/traces/t'], { trace_id: 't' }, { trace_id: 't' }],
  [
    'queryCaptures',
    (c) => c.queryCaptures(['a', 'b'], { sinceMs: 2_000, limit: 1 }),
    ['POST', '/traces/query', { session_ids: ['a', 'b'], since: 2, limit: 1 }],
    [{ trace_id: 't' }],
    [{ trace_id: 't' }],
  ],
  ['deleteSession', (c) => c.deleteSession('s'), ['DELETE', '/sessions/s'], { deleted: 3 }, 3],
  [
    'deleteSessions',
    (c) => c.deleteSessions(['a', 'b']),
    ['POST', '/sessions/batch_delete', { session_ids: ['a', 'b'] }],
    { deleted: 5 },
    5,
  ],
  [
    'addWorker',
    (c) => c.addWorker({ url: 'http://w:1', apiPath: '/v1', weight: 2, flavour: 'sglang' }),
    ['POST', '/admin/workers', { url: 'http://w:1', api_path: '/v1', weight: 2, flavour: 'sglang' }],
    { worker_id: 'w', url: 'http://w:1', api_path: '/v1' },
    { workerId: 'w', url: 'http://w:1', apiPath: '/v1' },
  ],
  ['workers', (c) => c.workers(), ['GET', '/admin/workers'], [], []],
  ['removeWorker', (c) => c.removeWorker('w'), ['DELETE', '/admin/workers/w'], { removed: 'w' }, true],
  ['flush', (c) => c.flush(), ['POST', '/admin/flush', {}], { status: 'flushed' }, undefined],
  ['reload', (c) => c.reload(), ['POST', '/admin/reload', {}], { status: 'ok' }, undefined],
  ['weightVersion', (c) => c.weightVersion(), ['GET', '/admin/weight_version'], { weight_version: 4 }, 4],
  [
    'weightVersion before the first',
    (c) => c.weightVersion(),
    ['GET', '/admin/weight_version'],
    { weight_version: null },
    undefined,
  ],
  [
    'setWeightVersion',
    (c) => c.setWeightVersion(5),
    ['POST', '/admin/weight_version', { weight_version: 5 }],
    { weight_version: 5 },
    undefined,
  ],
];

describe('GatewayClient', () => {
  it.each(calls)('%s', async (_, call, [method, url, body], answered, result) => {
    await using server = await startGatewayServer((_request, reply) => {
      reply.end(
        JSON.stringify(answered, (_name, value: unknown) =>
          typeof value === 'bigint' ? rawInteger(value) : value,
        ),
      );
    });
    const client = new GatewayClient({ url: `${server.url}/`, adminToken: 'secret' });
    expect(await call(client)).toEqual(result);
    expect(server.seen).toMatchObject([{ method, url, authorization: 'Bearer secret' }]);
    expect(server.seen[0]!.body === '' ? undefined : JSON.parse(server.seen[0]!.body)).toEqual(body);
  });

  it('makes a session and says where agents reach it', async () => {
    await using server = await startGatewayServer((_, reply) => {
      reply.end('{"session_id":"exp/1:a","url":"/sessions/exp/1:a/v1","api_key":"sk-1"}');
    });
    const client = new GatewayClient({ url: `${server.url}/behind/a/proxy` });
    const session = await client.createSession({
      sessionId: 'exp/1:a',
      samplingParams: { temperature: 0.5 },
    });
    expect(session).toEqual({
      sessionId: 'exp/1:a',
      baseUrl: `${server.url}/behind/a/proxy/sessions/exp/1:a/v1`,
      anthropicBaseUrl: `${server.url}/behind/a/proxy/sessions/exp/1:a`,
      apiKey: 'sk-1',
    });
    expect(server.seen).toEqual([
      {
        method: 'POST',
        url: '/behind/a/proxy/sessions',
        authorization: undefined,
        body: '{"session_id":"exp/1:a","sampling_params":{"temperature":0.5}}',
      },
    ]);
  });

  it('says undefined or false of what the gateway does not know', async () => {
    await using server = await startGatewayServer((_, reply) => {
      reply.writeHead(404).end('{"error":"Session s not found"}');
    });
    const client = new GatewayClient({ url: server.url });
    expect(await client.session('s')).toBeUndefined();
    expect(await client.capture('t')).toBeUndefined();
    expect(await client.trajectory('s')).toBeUndefined();
    expect(await client.removeWorker('w')).toBe(false);
    await expect(client.finishTrajectory('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_NOT_FOUND' });
  });

  it('puts compact captures together', async () => {
    await using server = await startGatewayServer((_, reply) => {
      reply.end(
        JSON.stringify({
          format: 'compact',
          version: 1,
          deltas: [
            {
              trace_id: 'a',
              parent_trace_id: null,
              messages_suffix: [{ role: 'user' }],
              prompt_ids_suffix: [1, 2],
              response_message: { role: 'assistant', n: 1 },
              completion_token_ids: [3],
            },
            {
              trace_id: 'b',
              parent_trace_id: 'a',
              messages_suffix: [{ role: 'tool' }],
              prompt_ids_suffix: [4],
              response_message: { role: 'assistant', n: 2 },
              completion_token_ids: [5],
              echoed_response: { role: 'assistant', n: 1, refusal: null },
            },
          ],
        }),
      );
    });
    const captures = await new GatewayClient({ url: server.url }).compactCaptures('s', { limit: 2 });
    expect(server.seen[0]!.url).toBe('/sessions/s/traces?limit=2&format=compact');
    expect(captures).toMatchObject([
      { trace_id: 'a', prompt_token_ids: [1, 2], messages: [{ role: 'user' }] },
      {
        trace_id: 'b',
        prompt_token_ids: [1, 2, 3, 4],
        messages: [{ role: 'user' }, { role: 'assistant', n: 1, refusal: null }, { role: 'tool' }],
      },
    ]);
  });

  it('streams rows as they arrive, and lets go of the connection when nobody wants more', async () => {
    const line = `${JSON.stringify(sampleRow())}\n`;
    await using server = await startGatewayServer((_, reply) => {
      reply.write(line + line.slice(0, 50));
      reply.on('close', () =>
        server.seen.push({ method: 'closed', url: '', authorization: undefined, body: '' }),
      );
    });
    for await (const row of new GatewayClient({ url: server.url }).exportTrajectory('s')) {
      expect(row).toEqual(sampleRow());
      break;
    }
    await expect.poll(() => server.seen.map(({ method }) => method)).toEqual(['GET', 'closed']);
    expect(server.seen[0]!.url).toBe('/sessions/s/export.jsonl');
  });

  it('refuses rows that break the format', async () => {
    await using server = await startGatewayServer((_, reply) => {
      reply.end(JSON.stringify({ session_id: 's', records: [{ ...sampleRow(), prompt_length: 9 }] }));
    });
    await expect(new GatewayClient({ url: server.url }).finishTrajectory('s')).rejects.toMatchObject({
      code: 'ART_INVALID_TRAINING_ROW',
    });
  });
});

describe('GatewayClient failures', () => {
  it.each([
    [401, '{"error":{"message":"wrong key"}}', 'ART_GATEWAY_DENIED', 'wrong key'],
    [409, '{"error":"session exists"}', 'ART_GATEWAY_CONFLICT', 'session exists'],
    [410, '{"error":"closed"}', 'ART_GATEWAY_CONFLICT', 'closed'],
    [400, '{"error":"url is required"}', 'ART_GATEWAY_REJECTED', 'url is required'],
    [405, '{"detail":"Method Not Allowed"}', 'ART_GATEWAY_REJECTED', 'Method Not Allowed'],
    [502, '<html>Bad Gateway</html>', 'ART_GATEWAY_REJECTED', '<html>Bad Gateway</html>'],
  ])('tells %d by its code, with the words of the gateway', async (status, body, code, words) => {
    await using server = await startGatewayServer((_, reply) => {
      reply.writeHead(status).end(body);
    });
    const client = new GatewayClient({ url: server.url, retryDelayMs: 0 });
    const error: unknown = await client.workers().catch((thrown: unknown) => thrown);
    expect(GatewayError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code, status, call: 'GET /admin/workers' });
    expect((error as Error).message).toContain(words);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['something that is not JSON', 'hello'],
    ['another shape', '{"workers":[]}'],
  ])('takes %s for a bad reply', async (_, body) => {
    await using server = await startGatewayServer((_request, reply) => void reply.end(body));
    await expect(new GatewayClient({ url: server.url }).workers()).rejects.toMatchObject({
      code: 'ART_GATEWAY_BAD_REPLY',
    });
  });

  it('tries again after a broken connection, as often as it was told', async () => {
    await using server = await startGatewayServer((_, reply, count) => {
      if (count < 3) reply.destroy();
      else reply.end('[]');
    });
    expect(await new GatewayClient({ url: server.url, retryDelayMs: 0 }).workers()).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });

  it('gives up after the last try, and says why', async () => {
    await using server = await startGatewayServer((_, reply) => void reply.destroy());
    const client = new GatewayClient({ url: server.url, retryDelayMs: 0, retries: 2 });
    await expect(client.workers()).rejects.toMatchObject({
      code: 'ART_GATEWAY_UNREACHABLE',
      status: undefined,
    });
    expect(server.seen).toHaveLength(3);
  });

  it('does not repeat what would be done twice', async () => {
    await using server = await startGatewayServer((_, reply) => void reply.destroy());
    const client = new GatewayClient({ url: server.url, retryDelayMs: 0 });
    await expect(client.createTrajectory({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_UNREACHABLE',
    });
    await expect(client.createSession()).rejects.toMatchObject({ code: 'ART_GATEWAY_UNREACHABLE' });
    expect(server.seen).toHaveLength(2);
    await expect(client.createSession({ sessionId: 's' })).rejects.toThrow('no answer');
    expect(server.seen).toHaveLength(6);
  });

  it('gives up when its time is over', async () => {
    await using server = await startGatewayServer(() => undefined);
    const client = new GatewayClient({ url: server.url, timeoutMs: 20 });
    await expect(client.workers()).rejects.toMatchObject({ code: 'ART_GATEWAY_TIMEOUT' });
  });

  it('rejects with the reason of a signal, before, during and between tries', async () => {
    await using server = await startGatewayServer((request, reply) => {
      if (request.url === '/health') reply.destroy();
    });
    const client = new GatewayClient({
      url: server.url,
      retryDelayMs: 3_600_000,
      timeoutMs: Number.POSITIVE_INFINITY,
    });
    const reason = new Error('enough');
    await expect(client.workers({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    for (const call of ['workers', 'health'] as const) {
      const controller = new AbortController();
      const seenBefore = server.seen.length;
      const outcome = client[call]({ signal: controller.signal }).catch((error: unknown) => error);
      await expect.poll(() => server.seen.length).toBe(seenBefore + 1);
      controller.abort(reason);
      expect(await outcome).toBe(reason);
    }
  });

  it.each<[name: string, options: object]>([
    ['url', { url: 'ftp://x' }],
    ['url', { url: 'http://x?y' }],
    ['adminToken', { adminToken: '' }],
    ['options of GatewayClient', { admintoken: 'secret' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['retries', { retries: -1 }],
    ['retryDelayMs', { retryDelayMs: Number.NaN }],
  ])('refuses a wrong %s', (name, options) => {
    const all = { url: 'http://127.0.0.1:1', ...options } as GatewayClientOptions;
    expect(() => new GatewayClient(all)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(name) as string,
      }),
    );
  });

  it.each(['', '..', 'a/../b', 'a//b', '\ud800'])(
    'refuses the session id %j before anything is sent',
    async (id) => {
      const client = new GatewayClient({ url: 'http://127.0.0.1:1', fetch: () => expect.unreachable() });
      await expect(client.captures(id)).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
      await expect(client.createSession({ sessionId: id })).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
      });
      expect(() => client.baseUrlOf(id)).toThrow(/sessionId/);
    },
  );
});

/** For JSON.stringify: an integer in its own digits. */
function rawInteger(value: bigint): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(String(value));
}

describe('several gateways', () => {
  async function threeGateways(answer: (url: string, body: string) => unknown) {
    const stack = new AsyncDisposableStack();
    const servers: GatewayServer[] = [];
    for (let index = 0; index < 3; index += 1) {
      servers.push(
        stack.use(
          await startGatewayServer(({ url, body }, reply) => {
            reply.end(JSON.stringify(answer(url, body)));
          }),
        ),
      );
    }
    const client = new GatewayClient({ urls: servers.map(({ url }) => `${url}/`) });
    return { servers, client, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  it('takes what concerns a session to its own gateway, and to no other', async () => {
    await using bed = await threeGateways(() => ({ session_id: 's', trace_count: 0 }));
    for (const sessionId of ['a', 'b/1', 'c', 'd', 'e', 'f']) {
      await bed.client.session(sessionId);
      const asked = bed.servers.map(
        ({ seen }) => seen.filter(({ url }) => url === `/sessions/${sessionId}`).length,
      );
      const own = bed.client.gatewayOf(sessionId);
      expect(asked).toEqual([0, 1, 2].map((index) => (index === own ? 1 : 0)));
      expect(bed.client.baseUrlOf(sessionId)).toBe(`${bed.servers[own]!.url}/sessions/${sessionId}/v1`);
    }
  });

  it('chooses an id where none is given, as the id chooses the gateway', async () => {
    await using bed = await threeGateways((_url, body) => JSON.parse(body) as object);
    const { sessionId, baseUrl } = await bed.client.createSession();
    expect(baseUrl).toContain(bed.servers[bed.client.gatewayOf(sessionId)]!.url);
  });

  it('tells workers and weights to all, under one id', async () => {
    await using bed = await threeGateways((_url, body) => ({
      worker_id: 'w',
      url: 'u',
      api_path: '/v1',
      ...(JSON.parse(body) as object),
    }));
    await bed.client.addWorker({ url: 'http://w' });
    await bed.client.setWeightVersion(4);
    const told = bed.servers.map(({ seen }) => seen.map(({ url, body }) => `${url} ${body}`));
    expect(told[0]).toHaveLength(2);
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it('asks each for its own of many sessions, and puts them together in order', async () => {
    await using bed = await threeGateways((_url, body) => {
      const { session_ids: ids } = JSON.parse(body) as { session_ids: string[] };
      return ids.map((id) => ({ trace_id: `t-${id}`, session_id: id }));
    });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect((await bed.client.queryCaptures(ids)).map((capture) => capture.session_id)).toEqual(ids);
  });

  it('answers for the gateway that is down, and continues with the others', async () => {
    await using bed = await threeGateways(() => ({ session_id: 's' }));
    const urls = [...bed.servers.slice(0, 2).map(({ url }) => url), 'http://127.0.0.1:1'];
    const client = new GatewayClient({ urls, retries: 0 });
    // Where an id belongs depends on the ports.
    const idOf = (gateway: number): string => {
      for (let index = 0; ; index += 1) if (client.gatewayOf(`s${index}`) === gateway) return `s${index}`;
    };
    for (const up of [0, 1]) await client.session(idOf(up));
    await expect(client.session(idOf(2))).rejects.toMatchObject({ code: 'ART_GATEWAY_UNREACHABLE' });
  });

  it.each([
    [{ urls: [] }],
    [{ urls: ['http://a', 'http://a/'] }],
    [{ url: 'http://a', urls: ['http://b'] }],
    [{ urls: ['a'] }],
    [{}],
  ])('refuses %j', (options) => {
    expect(() => new GatewayClient(options)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
  });
});
