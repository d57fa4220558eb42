import { describe, expect, it } from 'vitest';
import { chatCall, testBench, testEngine, type Bench } from '../gateway-bench.fixture.ts';
import { mockTurn } from '../mock-engine.fixture.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

async function turn({ call }: Bench, sessionId: string): Promise<void> {
  const reply = await call(`/sessions/${sessionId}/v1/chat/completions`, { body: chatCall });
  expect(reply.status).toBe(200);
  await reply.text();
}

describe('health', () => {
  it('answers in the shapes of its predecessors', async () => {
    const { json, engine } = await testBench();
    expect(await json('/health')).toEqual({ status: 'ok' });
    expect(await json('/healthz')).toEqual({ ok: true });
    expect(await json('/health/workers')).toEqual({
      workers: [
        {
          worker_id: '0',
          url: engine.url,
          api_path: '/v1',
          model_name: null,
          weight: 1,
          healthy: true,
          active_requests: 0,
          flavour: 'vllm',
        },
      ],
      healthy: 1,
      total: 1,
    });
  });

  it('tells unknown paths and methods apart', async () => {
    const { call } = await testBench();
    const unknown = await call('/nothing');
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: 'Not Found' }]);
    for (const [method, path] of [
      ['POST', '/health'],
      ['PUT', '/sessions'],
      ['POST', '/sessions/one'],
      ['POST', '/traces/one'],
      ['GET', '/admin/flush'],
      ['DELETE', '/v1/models'],
      ['PUT', '/sessions/one/v1/chat/completions'],
      ['HEAD', '/health'],
      ['OPTIONS', '/sessions'],
    ]) {
      const refused = await call(path!, { method: method! });
      expect([method, path, refused.status]).toEqual([method, path, 405]);
      expect(refused.headers.get('allow')).not.toBeNull();
      if (method !== 'HEAD') expect(await refused.json()).toEqual({ detail: 'Method Not Allowed' });
    }
  });
});

function isBetween(firstMs: number, lastMs: number): (seconds: number) => boolean {
  return (seconds) => firstMs / 1_000 <= seconds && seconds <= lastMs / 1_000;
}

describe('sessions', () => {
  it('are created with the id, metadata and URL that were asked for', async () => {
    const { json, call } = await testBench();
    const beforeMs = Date.now();
    const created = await json('/sessions', {
      body: { session_id: 'one', metadata: { task: 7, big: 2 ** 60 } },
    });
    expect(created).toMatchObject({ session_id: 'one', url: '/sessions/one/v1' });
    expect(await json('/sessions/one')).toEqual({
      session_id: 'one',
      trace_count: 0,
      created_at: expect.toSatisfy(isBetween(beforeMs, Date.now())) as number,
      metadata: { task: 7, big: 2 ** 60 },
      first_trace_at: null,
      incomplete_count: 0,
      active_calls: 0,
      failed_calls: 0,
      abandoned_calls: 0,
      kept_answers: 0,
      finished: false,
    });
    for (const body of [{}, '', 'not json', '[1]', '"text"', { session_id: null }, { session_id: '' }]) {
      const made = (await json('/sessions', { body, method: 'POST' })) as { session_id: string; url: string };
      expect(made.session_id).toMatch(uuid);
      expect(made.url).toBe(`/sessions/${made.session_id}/v1`);
    }
    expect((await call('/sessions', { method: 'POST' })).status).toBe(200);
  });

  it('are created again without an error, and keep what is not given anew', async () => {
    const { json } = await testBench();
    await json('/sessions', { body: { session_id: 'one', metadata: { a: 1 } } });
    await json('/sessions', { body: { session_id: 'one', metadata: {} } });
    expect(await json('/sessions/one')).toMatchObject({ metadata: { a: 1 } });
    await json('/sessions', { body: { session_id: 'one', metadata: { b: 2 } } });
    expect(await json('/sessions/one')).toMatchObject({ metadata: { b: 2 } });
  });

  it('are listed once they have a capture, newest first', async () => {
    const bench = await testBench();
    const { json } = bench;
    await json('/sessions', { body: { session_id: 'empty' } });
    expect(await json('/sessions')).toEqual([]);
    await turn(bench, 'first');
    await turn(bench, 'second');
    const listed = (await json('/sessions')) as {
      session_id: string;
      trace_count: number;
      created_at: number;
    }[];
    expect(listed.map((session) => [session.session_id, session.trace_count])).toEqual([
      ['second', 1],
      ['first', 1],
    ]);
    expect(await json('/sessions?limit=1')).toMatchObject([{ session_id: 'second' }]);
    expect(await json(`/sessions?since=${Date.now() / 1_000 + 60}`)).toEqual([]);
  });

  it.each(['harbor/hello-world:0', 'a b', 'ü/é', 'traces', 'x/traces/y', '100%', 'q?x=1#y'])(
    'may be called %s',
    async (id) => {
      const bench = await testBench();
      const { json, call } = bench;
      const { url } = (await json('/sessions', { body: { session_id: id } })) as { url: string };
      const reply = await call(`${url}/chat/completions`, { body: chatCall });
      expect(reply.status).toBe(200);
      const path = `/sessions/${encodeURIComponent(id)}`;
      expect(await json(path)).toMatchObject({ session_id: id, trace_count: 1 });
      expect(await json(`${path}/traces`)).toMatchObject([{ session_id: id }]);
      expect(await json(path, { method: 'DELETE' })).toEqual({ deleted: 1 });
    },
  );

  it.each(['', '/traces'])('answer to an id with a bare slash, with %j behind it', async (suffix) => {
    const { json, call } = await testBench();
    await json('/sessions', { body: { session_id: 'harbor/hello-world:0' } });
    expect((await call(`/sessions/harbor/hello-world:0${suffix}`)).status).toBe(200);
  });

  it('that nobody knows are 404, and have no captures', async () => {
    const { call, json } = await testBench();
    const reply = await call('/sessions/nobody');
    expect([reply.status, await reply.json()]).toEqual([404, { error: 'Session nobody not found' }]);
    expect(await json('/sessions/nobody/traces')).toEqual([]);
    expect(await json('/sessions/nobody', { method: 'DELETE' })).toEqual({ deleted: 0 });
  });

  it('refuse ids and fields that cannot be', async () => {
    const { call } = await testBench();
    for (const body of [
      { session_id: 'a\nb' },
      { session_id: 'x'.repeat(513) },
      { session_id: 7 },
      { metadata: [] },
      { sampling_params: 'hot' },
    ]) {
      expect((await call('/sessions', { body })).status).toBe(422);
    }
    for (const query of ['since=abc', 'limit=x', 'limit=-1', 'limit=1.5']) {
      expect((await call(`/sessions?${query}`)).status).toBe(422);
      expect((await call(`/sessions/one/traces?${query}`)).status).toBe(422);
    }
    expect((await call('/sessions/one/traces?format=xml')).status).toBe(422);
  });

  it('are deleted with their captures, alone and in batches', async () => {
    const bench = await testBench();
    const { json, call } = bench;
    for (const id of ['one', 'one', 'two', 'three']) await turn(bench, id);
    expect(await json('/sessions/one', { method: 'DELETE' })).toEqual({ deleted: 2 });
    expect((await call('/sessions/one')).status).toBe(404);
    expect(await json('/sessions/one/traces')).toEqual([]);
    const body = { session_ids: ['one', 'two', 'three', 'nobody'] };
    expect(await json('/sessions/batch_delete', { body })).toEqual({ deleted: 2 });
    expect(await json('/sessions/batch_delete', { body: {} })).toEqual({ deleted: 0 });
    expect(await json('/sessions')).toEqual([]);
  });
});

describe('captures', () => {
  it('come oldest first, from a time on, and not more than asked for', async () => {
    const bench = await testBench();
    const { json } = bench;
    for (let index = 0; index < 3; index += 1) await turn(bench, 'one');
    const captures = (await json('/sessions/one/traces')) as { trace_id: string; timestamp: number }[];
    expect(captures).toHaveLength(3);
    expect(captures.map((capture) => capture.timestamp)).toEqual(
      captures.map((capture) => capture.timestamp).toSorted((a, b) => a - b),
    );
    expect(await json('/sessions/one/traces?limit=2')).toEqual(captures.slice(0, 2));
    expect(await json('/sessions/one/traces?limit=0')).toEqual([]);
    expect(await json(`/sessions/one/traces?since=${Date.now() / 1_000 + 60}`)).toEqual([]);
    expect(await json('/sessions/one/traces?since=0')).toEqual(captures);
    expect(await json('/sessions/one/traces?format=compact')).toMatchObject({
      format: 'compact',
      version: 1,
    });
  });

  it('are found by id and by several sessions', async () => {
    const bench = await testBench();
    const { json, call } = bench;
    for (const id of ['one', 'one', 'two']) await turn(bench, id);
    const one = (await json('/sessions/one/traces')) as { trace_id: string }[];
    const two = (await json('/sessions/two/traces')) as { trace_id: string }[];
    expect(await json(`/traces/${two[0]!.trace_id}`)).toEqual(two[0]);
    const missing = await call('/traces/nothing');
    expect([missing.status, await missing.json()]).toEqual([404, { error: 'Trace nothing not found' }]);
    const body = { session_ids: ['two', 'one', 'nobody'] };
    expect(await json('/traces/query', { body })).toEqual([...two, ...one]);
    expect(await json('/traces/query', { body: { ...body, limit: 1 } })).toEqual([two[0], one[0]]);
    expect(await json('/traces/query', { body: { ...body, since: Date.now() / 1_000 + 60 } })).toEqual([]);
    expect(await json('/traces/query', { body: {} })).toEqual([]);
  });

  it('have the shape of a CaptureRecord', async () => {
    const bench = await testBench();
    const beforeMs = Date.now();
    await turn(bench, 'one');
    expect(await bench.json('/sessions/one/traces')).toEqual([
      expect.objectContaining({
        trace_id: expect.stringMatching(uuid) as string,
        session_id: 'one',
        model: 'mock-model',
        messages: chatCall.messages,
        prompt_token_ids: mockTurn.promptTokenIds,
        response_message: expect.objectContaining({ role: 'assistant', content: 'Hello from mock!' }),
        completion_token_ids: mockTurn.tokenIds,
        logprobs: mockTurn.logprobs,
        routing_matrices: null,
        finish_reason: 'stop',
        weight_version: null,
        latency_ms: expect.any(Number) as number,
        token_counts: { prompt: 5, completion: 3 },
        timestamp: expect.toSatisfy(isBetween(beforeMs, Date.now())) as number,
        metadata: {},
        raw_request: null,
        raw_response: null,
        capture: 'complete',
      }),
    ]);
  });
});

describe('workers', () => {
  it('are added, listed and removed', async () => {
    const { json, call } = await testBench({ workers: [] });
    const engine = await testEngine();
    expect(await json('/admin/workers')).toEqual([]);
    const added = await json('/admin/workers', {
      body: { url: `${engine.url}/v1`, worker_id: 'w0', model_name: 'm', weight: 2 },
    });
    expect(added).toEqual({ worker_id: 'w0', url: engine.url, api_path: '/v1' });
    expect(await json('/admin/workers')).toMatchObject([
      { worker_id: 'w0', url: engine.url, api_path: '/v1', model_name: 'm', weight: 2, healthy: true },
    ]);
    expect(await json('/admin/workers/w0', { method: 'DELETE' })).toEqual({ removed: 'w0' });
    const gone = await call('/admin/workers/w0', { method: 'DELETE' });
    expect([gone.status, await gone.json()]).toEqual([404, { error: 'Worker w0 not found' }]);
  });

  it('that are added twice answer to both ids', async () => {
    const { json, engine } = await testBench();
    const again = await json('/admin/workers', { body: { url: engine.url, worker_id: 'again' } });
    expect(again).toMatchObject({ worker_id: 'again' });
    expect(await json('/admin/workers')).toMatchObject([{ worker_id: '0' }]);
    expect(await json('/admin/workers/again', { method: 'DELETE' })).toEqual({ removed: 'again' });
    expect(await json('/admin/workers')).toEqual([]);
  });

  it('need a URL that can be one', async () => {
    const { call } = await testBench();
    for (const body of [{}, { url: '' }, { url: null }]) {
      const reply = await call('/admin/workers', { body });
      expect([reply.status, await reply.json()]).toEqual([400, { error: 'url is required' }]);
    }
    for (const body of [
      { url: 'nonsense' },
      { url: 'http://h', weight: 0 },
      { url: 'http://h', flavour: 'x' },
    ]) {
      const reply = await call('/admin/workers', { body });
      expect([reply.status, await reply.json()]).toEqual([
        400,
        { error: expect.stringContaining('Expected') as string },
      ]);
    }
  });
});

describe('admin', () => {
  it('flushes and reloads', async () => {
    const { json } = await testBench();
    expect(await json('/admin/flush', { method: 'POST' })).toEqual({ status: 'flushed' });
    expect(await json('/admin/reload', { method: 'POST' })).toEqual({ status: 'ok' });
  });

  it('keeps the weight version and stamps it on what arrives afterwards', async () => {
    const bench = await testBench();
    const { json, call } = bench;
    expect(await json('/admin/weight_version')).toEqual({ weight_version: null });
    const set = async (version: unknown): Promise<[number, unknown]> => {
      const reply = await call('/admin/weight_version', { body: { weight_version: version } });
      return [reply.status, await reply.json()];
    };
    expect(await set(3.7)).toEqual([200, { weight_version: 3 }]);
    expect(await set('12')).toEqual([200, { weight_version: 12 }]);
    expect(await set(7)).toEqual([200, { weight_version: 7 }]);
    for (const bad of ['step-1', null, undefined, [], {}, '3.5', '']) expect((await set(bad))[0]).toBe(400);
    await turn(bench, 'one');
    await set(8);
    await turn(bench, 'one');
    expect(await json('/sessions/one/traces')).toMatchObject([{ weight_version: 7 }, { weight_version: 8 }]);
  });

  it('shows a Prometheus page', async () => {
    const bench = await testBench();
    await turn(bench, 'one');
    const page = await bench.call('/metrics');
    expect(page.headers.get('content-type')).toContain('text/plain');
    const text = await page.text();
    expect(text).toContain(
      'art_gateway_calls_total{endpoint="chat",status="200",stream="false",engine="vllm"} 1',
    );
    expect(text).toContain('art_gateway_tokens_total{kind="completion"} 3');
    expect(text).toContain('art_gateway_captures_total{status="complete"} 1');
    expect(text).toMatch(/art_gateway_event_loop_lag_p99_seconds \d/);
  });
});
