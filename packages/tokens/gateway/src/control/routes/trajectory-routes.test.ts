import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTrainingRow, readJsonl, type TrainingRow } from '@art/trajectories';
import { GatewayClient } from '@art/gateway-client';
import { describe, expect, it } from 'vitest';
import { chatCall, closeAfterwards, testBench, type Bench } from '../../gateway-bench.fixture.ts';
import { answerAsVllm, mockTurn } from '../../mock-engine.fixture.ts';

const tokens = [...mockTurn.promptTokenIds, ...mockTurn.tokenIds];

async function create({ call }: Bench, body: object): Promise<Response> {
  return call('/trajectories', { body });
}

async function turn({ call }: Bench, sessionId: string, body: object = {}): Promise<number> {
  const reply = await call(`/sessions/${sessionId}/v1/chat/completions`, { body: { ...chatCall, ...body } });
  await reply.text();
  return reply.status;
}

interface Finished {
  records: TrainingRow[];
  summary: Record<string, unknown>;
}

async function finish({ json }: Bench, sessionId: string, body: object = {}): Promise<Finished> {
  return (await json(`/trajectories/${sessionId}/finish`, { body })) as Finished;
}

describe('a trajectory', () => {
  it.each(['one', 'harbor/hello:0', 'x/finish', 'a%20b'])(
    'called %s goes from its creation to its rows',
    async (path) => {
      const bench = await testBench();
      const sessionId = decodeURIComponent(path);
      const created = await create(bench, {
        session_id: sessionId,
        rollout_id: 'r',
        group_id: 'g',
        metadata: { task: 7 },
      });
      expect(created.status).toBe(201);
      const { base_url: baseUrl, api_key: apiKey } = (await created.json()) as Record<string, string | null>;
      expect([baseUrl, apiKey]).toEqual([`${bench.gateway.url}/sessions/${path}/v1`, null]);
      const reply = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(chatCall),
      });
      expect(reply.status).toBe(200);
      await reply.text();
      expect(await bench.json(`/trajectories/${path}`)).toMatchObject({
        session_id: sessionId,
        state: 'open',
        turns: 1,
        leaves: 1,
        in_flight: 0,
        rollout_id: 'r',
        group_id: 'g',
        metadata: { task: 7 },
      });
      const first = await finish(bench, path, { reward: 0.5, extra_metadata: { step: 3 } });
      first.records.forEach(checkTrainingRow);
      expect(first.records).toMatchObject([
        {
          session_id: sessionId,
          rollout_id: 'r',
          group_id: 'g',
          reward: 0.5,
          token_ids: tokens,
          metadata: { task: 7, step: 3 },
        },
      ]);
      expect(first.summary).toMatchObject({
        turns: 1,
        trained_tokens: 3,
        masked_turns: [],
        unfinished_calls: 0,
      });
      expect(await finish(bench, path, { reward: 9 })).toEqual(first);
      expect(await bench.json(`/trajectories/${path}`)).toMatchObject({ state: 'finished' });
      // The other face sees the same session, and nothing of what is kept of the trajectory.
      expect(await bench.json(`/sessions/${path}`)).toMatchObject({
        trace_count: 1,
        finished: true,
        metadata: { task: 7 },
      });
      expect(JSON.stringify(await bench.json(`/sessions/${path}`))).not.toContain('art_trajectory');
      expect(await turn(bench, path)).toBe(410);
      expect(await bench.json(`/sessions/${path}`, { method: 'DELETE' })).toEqual({ deleted: 1 });
      expect((await bench.call(`/trajectories/${path}`)).status).toBe(404);
      expect(await turn(bench, path)).toBe(410);
    },
  );

  it('is what the client of trainers drives', async () => {
    const bench = await testBench();
    const client = new GatewayClient({ url: bench.gateway.url });
    const created = await client.createTrajectory({ sessionId: 's', groupId: 'g', maxTurns: 2 });
    expect(created.base_url).toBe(client.baseUrlOf('s'));
    await turn(bench, 's');
    expect(await client.trajectory('s')).toMatchObject({ turns: 1 });
    const rows = await client.finishTrajectory('s', { reward: 1, metadata: { a: 1 } });
    expect(rows).toMatchObject([{ reward: 1, group_id: 'g', metadata: { a: 1 } }]);
    expect(await Array.fromAsync(client.exportTrajectory('s'))).toEqual(rows);
    await expect(client.createTrajectory({ sessionId: 's' })).rejects.toMatchObject({
      code: 'ART_GATEWAY_CONFLICT',
    });
    expect([await client.deleteSession('s'), await client.deleteSession('s')]).toEqual([1, 0]);
    await expect(client.finishTrajectory('s')).rejects.toMatchObject({ code: 'ART_GATEWAY_NOT_FOUND' });
  });

  it('can be made of a session that the other face opened', async () => {
    const bench = await testBench();
    await bench.json('/sessions', { body: { session_id: 's', metadata: { a: 1 } } });
    await turn(bench, 's');
    expect((await finish(bench, 's', { base: { rollout_id: 'r' } })).records).toMatchObject([
      { rollout_id: 'r', reward: null, metadata: { a: 1 } },
    ]);
  });

  it('is finished alike after a restart, whatever is asked for then', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-gateway-'));
    closeAfterwards(() => rm(directory, { recursive: true, maxRetries: 10 }));
    const before = await testBench({ store: { directory } });
    await create(before, { session_id: 's', rollout_id: 'r' });
    await turn(before, 's');
    const first = await finish(before, 's', { reward: 1 });
    await before.gateway.close();
    const after = await testBench({ store: { directory } });
    expect(await finish(after, 's', { reward: 2, base: { rollout_id: 'other' } })).toEqual(first);
    expect(await turn(after, 's')).toBe(410);
  });

  it('ends the calls that go on for too long when it is finished', async () => {
    const bench = await testBench();
    await turn(bench, 's');
    const asked = Promise.withResolvers<void>();
    bench.engine.answer = () => asked.resolve();
    const pending = bench.call('/sessions/s/v1/chat/completions', { body: chatCall });
    await asked.promise;
    const { records, summary } = await finish(bench, 's', { wait_timeout_s: 0 });
    expect([records.length, summary['unfinished_calls']]).toEqual([1, 1]);
    const refused = await pending;
    expect([refused.status, await refused.json()]).toMatchObject([
      410,
      { error: { type: 'session_closed' } },
    ]);
    expect(await bench.json('/sessions/s')).toMatchObject({ active_calls: 0, trace_count: 1 });
  });
});

describe('the limits of a trajectory', () => {
  it('end its turns, of which failed calls are none', async () => {
    const bench = await testBench({ retry: { serverErrorAttempts: 0 } });
    await create(bench, { session_id: 's', max_turns: 1 });
    const { answer } = bench.engine;
    bench.engine.answer = (_request, response) => void response.writeHead(500).end('{}');
    expect(await turn(bench, 's')).toBe(500);
    bench.engine.answer = answer;
    expect(await turn(bench, 's')).toBe(200);
    const asked = bench.engine.requests.length;
    const refused = await bench.call('/sessions/s/v1/chat/completions', { body: chatCall });
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { type: 'rate_limit_error', code: 'max_turns_reached' } },
    ]);
    expect(bench.engine.requests).toHaveLength(asked);
    // What samples nothing is no turn.
    expect((await bench.call('/sessions/s/v1/models')).status).not.toBe(429);
  });

  it('cut its rows', async () => {
    const bench = await testBench();
    await create(bench, { session_id: 's', max_context_tokens: tokens.length - 1 });
    await turn(bench, 's');
    expect((await finish(bench, 's')).records).toMatchObject([
      { token_ids: tokens.slice(0, -1), status: 'truncated' },
    ]);
  });

  it('hold sampling parameters for calls that do not say otherwise', async () => {
    const bench = await testBench();
    await create(bench, {
      session_id: 's',
      sampling_defaults: { temperature: 0.7, top_k: 5, max_new_tokens: 64 },
    });
    const sent = (): unknown => JSON.parse(bench.engine.last().text) as unknown;
    await turn(bench, 's');
    expect(sent()).toMatchObject({ temperature: 0.7, top_k: 5, max_tokens: 64 });
    expect(sent()).not.toHaveProperty('max_new_tokens');
    await turn(bench, 's', { temperature: 0, max_completion_tokens: 8 });
    expect(sent()).toMatchObject({ temperature: 0, top_k: 5, max_completion_tokens: 8 });
    expect(sent()).not.toHaveProperty('max_tokens');
  });
});

describe('who may do what', () => {
  it('is told by the admin token and by the key of the session', async () => {
    const bench = await testBench({ auth: { adminToken: 'admin', sessionKeys: true } });
    expect((await create(bench, { session_id: 's' })).status).toBe(401);
    const client = new GatewayClient({ url: bench.gateway.url, adminToken: 'admin' });
    const { api_key: key } = await client.createTrajectory({ sessionId: 's' });
    const status = async (bearer: string): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}` };
      return (await bench.call('/sessions/s/v1/chat/completions', { body: chatCall, headers })).status;
    };
    expect(await client.trajectory('s')).toMatchObject({ api_key: key });
    expect([await status('EMPTY'), await status(key!)]).toEqual([401, 200]);
    expect(await client.finishTrajectory('s')).toHaveLength(1);
  });
});

describe('an export', () => {
  it('has the rows, also before the end', async () => {
    const bench = await testBench();
    await turn(bench, 'a/b:0');
    const lines = async (query = ''): Promise<unknown[]> => {
      const reply = await bench.call(`/sessions/a/b:0/export.jsonl${query}`);
      expect(reply.headers.get('content-type')).toContain('application/jsonl');
      return Array.fromAsync(readJsonl([await reply.text()]));
    };
    expect(await lines()).toMatchObject([{ token_ids: tokens, reward: null }]);
    const { records } = await finish(bench, 'a/b:0', { reward: 1 });
    expect(await lines()).toEqual(records);
    expect(await lines('?format=captures')).toMatchObject([{ session_id: 'a/b:0', capture: 'complete' }]);
    expect((await bench.call(`/sessions/a/b:0/export.jsonl?format=slime`)).status).toBe(422);
    expect((await bench.call('/sessions/nobody/export.jsonl')).status).toBe(404);
  });

  it('has rows or captures when a trajectory is finished', async () => {
    const bench = await testBench();
    await create(bench, { session_id: 's' });
    await turn(bench, 's');
    const records = async (format?: string): Promise<readonly unknown[]> =>
      (await finish(bench, 's', { format, reward: 1 })).records;
    expect(await records('rows')).toEqual(await records());
    expect(await records('rows')).toMatchObject([{ token_ids: tokens, reward: 1 }]);
    expect(await records('captures')).toMatchObject([{ completion_token_ids: mockTurn.tokenIds }]);
  });
});

describe('a request that makes no sense', () => {
  it.each([
    [{}, 'session_id'],
    [{ session_id: 'a\nb' }, 'session_id'],
    [{ session_id: 's', max_turns: 0 }, 'max_turns'],
    [{ session_id: 's', max_context_tokens: '9' }, 'max_context_tokens'],
    [{ session_id: 's', sampling_defaults: [] }, 'sampling_defaults'],
    [{ session_id: 's', mode: 'x' }, 'mode'],
    [{ session_id: 's', group_id: '' }, 'group_id'],
  ])('is refused: create %j', async (body, field) => {
    const bench = await testBench();
    const reply = await create(bench, body);
    expect([reply.status, await reply.json()]).toMatchObject([422, { detail: [{ loc: [field] }] }]);
    expect((await bench.call('/trajectories/s')).status).toBe(404);
  });

  it.each([
    [{ reward: 'high' }, 'reward'],
    [{ format: 'slime' }, 'format'],
    [{ wait_timeout_s: -1 }, 'wait_timeout_s'],
    [{ base: { rollout_id: 1 } }, 'rollout_id'],
  ])('is refused: finish %j, and nothing is closed', async (body, field) => {
    const bench = await testBench();
    await create(bench, { session_id: 's' });
    const reply = await bench.call('/trajectories/s/finish', { body });
    expect([reply.status, await reply.json()]).toMatchObject([422, { detail: [{ loc: [field] }] }]);
    expect(await turn(bench, 's')).toBe(200);
  });

  it('is refused: other methods and unknown trajectories', async () => {
    const { call } = await testBench();
    expect((await call('/trajectories')).status).toBe(405);
    expect((await call('/trajectories/s', { method: 'POST' })).status).toBe(405);
    expect((await call('/trajectories/s', { method: 'DELETE' })).status).toBe(405);
    expect((await call('/trajectories/s/finish', { method: 'POST' })).status).toBe(404);
  });
});

describe('weights that are announced in mid-call', () => {
  it.each([
    ['whole', {}],
    ['streamed', { stream: true }],
  ])('give a range, where the engine does not say by token: %s', async (_kind, more) => {
    const bench = await testBench();
    const announce = (version: number): Promise<unknown> =>
      bench.json('/admin/weight_version', { body: { weight_version: version } });
    await announce(7);
    bench.engine.answer = async (request, response) => {
      await announce(8);
      await answerAsVllm(request, response);
    };
    await create(bench, { session_id: 'one' });
    await turn(bench, 'one', more);
    const range = { oldest: 7, newest: 8 };
    expect(await bench.json('/sessions/one/traces')).toMatchObject([
      { weight_version: null, weight_version_range: range },
    ]);
    const { records } = await finish(bench, 'one');
    records.forEach(checkTrainingRow);
    expect(records[0]!.turn_spans).toMatchObject([{ weight_version: null, weight_version_range: range }]);
  });
});
