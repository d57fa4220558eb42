import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { chatCall, closeAfterwards, testBench, type Bench } from '../gateway-bench.fixture.ts';
import { sendJson, chatReply, sse, chatChunks } from '../mock-engine.fixture.ts';
import { startGateway } from '../server/start-gateway.ts';
import { shardOf } from './shard-of.ts';

const startMs = 30_000;

/** Ids of which each process gets the same number. */
function spreadIds(perShard: number): string[] {
  const ids: [string[], string[]] = [[], []];
  for (let index = 0; ids[0].length < perShard || ids[1].length < perShard; index += 1) {
    const list = ids[shardOf(`task/${index}:a b`, 2)]!;
    if (list.length < perShard) list.push(`task/${index}:a b`);
  }
  return ids.flat();
}

const urlOf = (sessionId: string): string => `/sessions/${encodeURI(sessionId)}`;

async function turn({ json }: Bench, sessionId: string): Promise<void> {
  await json(`${urlOf(sessionId)}/v1/chat/completions`, { body: chatCall });
}

async function pids({ json }: Bench): Promise<number[]> {
  const { processes } = (await json('/health/processes')) as { processes: { pid: number; up: boolean }[] };
  return processes.map(({ pid }) => pid);
}

async function tempDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'art-front-'));
  closeAfterwards(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

interface TraceRecord {
  trace_id: string;
  session_id: string;
}

describe('several processes', { timeout: 2 * startMs }, () => {
  it('serve one API on one port', async () => {
    const bench = await testBench({ processes: 2 });
    const { json, call, engine, gateway } = bench;
    const ids = spreadIds(3);
    for (const session_id of ids) {
      const created = await json('/sessions', { body: { session_id, metadata: { of: session_id } } });
      expect(created).toMatchObject({ session_id });
      await turn(bench, session_id);
    }

    const sessions = (await json('/sessions')) as { session_id: string; first_trace_at: number }[];
    expect(sessions.map((session) => session.session_id)).toEqual(ids.toReversed());
    const latest = (await json('/sessions?limit=2')) as { session_id: string }[];
    expect(latest.map((session) => session.session_id)).toEqual(ids.toReversed().slice(0, 2));
    const since = `/sessions?since=${sessions[1]!.first_trace_at}`;
    expect(await json(since)).toHaveLength(2);
    expect((await call('/sessions?limit=x')).status).toBe(422);

    const asked = [ids[4]!, ids[0]!, 'unknown', ids[3]!];
    const traces = (await json('/traces/query', { body: { session_ids: asked } })) as TraceRecord[];
    expect(traces.map((trace) => trace.session_id)).toEqual([ids[4], ids[0], ids[3]]);
    for (const trace of traces) {
      expect(await json(`/traces/${trace.trace_id}`)).toEqual(trace);
      expect(await json(`${urlOf(trace.session_id)}/traces`)).toEqual([trace]);
      expect(await json(urlOf(trace.session_id))).toMatchObject({ metadata: { of: trace.session_id } });
    }
    expect((await call('/traces/none')).status).toBe(404);
    expect((await call('/sessions/none')).status).toBe(404);
    expect((await call('/sessions', { method: 'PUT' })).status).toBe(405);
    expect((await call('/nothing')).status).toBe(404);

    expect(await json('/admin/flush', { method: 'POST' })).toEqual({ status: 'flushed' });
    expect(await json('/sessions/batch_delete', { body: { session_ids: [ids[0], ids[5], 'none'] } })).toEqual(
      {
        deleted: 2,
      },
    );
    expect(await json(urlOf(ids[1]!), { method: 'DELETE' })).toEqual({ deleted: 1 });
    expect(await json('/sessions')).toHaveLength(3);

    const page = await (await call('/metrics')).text();
    expect(page).toMatch(/^art_gateway_calls_total\{.*endpoint="chat".*\} 6$/m);
    expect(page).toContain('art_gateway_tokens_total{kind="completion"} 18');
    expect(page).toMatch(/^art_gateway_processes_up 2$/m);
    expect(page).toMatch(/^art_gateway_workers_healthy 1$/m);

    const unnamed = (await json('/sessions', { body: {} })) as { session_id: string; api_key: string };
    expect(unnamed.session_id).toMatch(/^[\da-f-]{36}$/);
    await json('/v1/chat/completions', {
      body: chatCall,
      headers: { authorization: `Bearer ${unnamed.api_key}` },
    });
    expect(await json(`/sessions/${unnamed.session_id}/traces`)).toHaveLength(1);
    expect(engine.last().headers.authorization).toBeUndefined();

    const { base_url: baseUrl } = (await json('/trajectories', { body: { session_id: 'tree' } })) as {
      base_url: string;
    };
    expect(baseUrl).toBe(`${gateway.url}/sessions/tree/v1`);
    await turn(bench, 'tree');
    const finished = await json('/trajectories/tree/finish', { body: { reward: 1 } });
    expect(finished).toMatchObject({ session_id: 'tree', records: [{ reward: 1 }] });
  });

  it('find the session of a call wherever it is named', async () => {
    const bench = await testBench({ processes: 2 });
    const { json, call } = bench;
    const ids = spreadIds(1).map((id) => id.replaceAll(/\W/g, '-'));
    for (const [index, sessionId] of [...ids, 'three', 'four', 'five'].entries()) {
      await json('/sessions', { body: { session_id: sessionId } });
      const ways: { body?: unknown; headers?: Record<string, string> }[] = [
        { headers: { 'x-session-id': sessionId } },
        { headers: { authorization: `Bearer ${sessionId}` } },
        { body: { ...chatCall, metadata: { session_id: sessionId } }, headers: { 'x-api-key': 'EMPTY' } },
        { body: { ...chatCall, user: sessionId } },
      ];
      for (const way of ways) {
        const reply = await call('/v1/chat/completions', { body: chatCall, ...way });
        expect(reply.status).toBe(200);
        await reply.arrayBuffer();
      }
      expect([index, await json(`/sessions/${sessionId}/traces`)]).toMatchObject([index, { length: 4 }]);
    }
    const nobody = await call('/v1/chat/completions', { body: { ...chatCall, user: 'nobody' } });
    expect(nobody.status).toBe(200);
    expect(await json('/sessions')).toHaveLength(5);
  });

  it('change no byte, in either direction', async () => {
    const { call, engine } = await testBench({ processes: 2, addLogprobs: false, addTokenIds: false });
    const sent = `{ "model":"m", "n":1.0,"big":1152921504606846976, "a":1,"a":2, "messages":[{"role":"user","content":"😀"}] }`;
    const answered = '{ "choices": [ {"index":0, "x": 1.0, "big":1152921504606846976, "t":"😀"} ] }\n';
    engine.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-engine': 'yes' }).end(answered);
    };
    for (const path of [
      '/sessions/one/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/embeddings?x=%2F',
    ]) {
      const reply = await call(path, { body: sent });
      expect(await reply.text()).toBe(answered);
      expect(engine.last().text).toBe(sent);
    }
    expect(engine.last().url).toBe('/v1/embeddings?x=%2F');
    expect((await call('/sessions/%zz/v1/models')).status).toBe(400);
  });

  it('pass streams on as they come, and abandoned calls to the engine', async () => {
    const { call, engine, json } = await testBench({ processes: 2 });
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
    engine.answer = async (_request, response) => {
      const [first, ...rest] = chatChunks();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse(first));
      response.write(sse(rest[0]));
      await go;
      for (const chunk of rest.slice(1)) response.write(sse(chunk));
      response.end('data: [DONE]\n\n');
    };
    const path = '/sessions/one/v1/chat/completions';
    const reply = await call(path, { body: { ...chatCall, stream: true } });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('Hello')) text += (await reader.read()).value ?? '';
    expect(text).not.toContain('[DONE]');
    letGo();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await json('/sessions/one/traces')).toMatchObject([{ capture: 'complete' }]);

    engine.answer = () => undefined;
    const leaving = new AbortController();
    const before = engine.requests.length;
    const abandoned = call(path, { body: chatCall, signal: leaving.signal });
    await vi.waitFor(() => expect(engine.requests).toHaveLength(before + 1));
    leaving.abort();
    await expect(abandoned).rejects.toThrow('aborted');
    await engine.last().dropped;
  });

  it('lose nothing that was replied when one is killed', async () => {
    const directory = await tempDirectory();
    const bench = await testBench({ processes: 2, store: { directory } });
    const { json, call, engine } = bench;
    const ids = spreadIds(2);
    for (const sessionId of ids) await turn(bench, sessionId);
    const before = await json('/traces/query', { body: { session_ids: ids } });
    expect(before).toHaveLength(4);
    const other = 'http://127.0.0.1:9';
    await json('/admin/workers', { body: { url: other, worker_id: 'gone' } });
    await json('/admin/workers', { body: { url: 'http://127.0.0.1:8', worker_id: 'late', model_name: 'z' } });
    await json('/admin/workers/gone', { method: 'DELETE' });
    expect(await json('/admin/weight_version', { body: { weight_version: 7 } })).toEqual({
      weight_version: 7,
    });

    const victim = ids[0]!;
    const [pid] = await pids(bench);
    expect(shardOf(victim, 2)).toBe(0);
    engine.answer = () => undefined;
    const asked = engine.requests.length;
    const lost = call(`${urlOf(victim)}/v1/chat/completions`, { body: chatCall });
    await vi.waitFor(() => expect(engine.requests).toHaveLength(asked + 1));
    process.kill(pid!, 'SIGKILL');
    const reply = await lost;
    expect([reply.status, await reply.json()]).toMatchObject([
      502,
      { error: { code: 'gateway_process_lost' } },
    ]);

    engine.answer = (_request, response) => sendJson(response, 200, chatReply());
    // A call for the process that is down waits until it is up again.
    await turn(bench, victim);
    expect((await pids(bench))[0]).not.toBe(pid);
    const after = (await json('/traces/query', { body: { session_ids: ids } })) as unknown[];
    expect(after).toHaveLength(5);
    expect(after).toEqual(expect.arrayContaining(before as unknown[]));
    expect(after).toContainEqual(expect.objectContaining({ session_id: victim, weight_version: 7 }));
    const workers = (await json('/admin/workers')) as { worker_id: string; active_requests: number }[];
    expect(workers.map((worker) => worker.worker_id)).toEqual(['0', 'late']);
    expect(await (await call('/metrics')).text()).toMatch(/^art_gateway_process_restarts_total 1$/m);

    await bench.gateway.close();
    await expect(call('/health')).rejects.toThrow('fetch failed');
    expect((await readdir(directory)).toSorted()).toEqual(['shard-0-of-2', 'shard-1-of-2']);
    for (const processes of [1, 3]) {
      await expect(
        startGateway({ port: 0, logLevel: 'silent', processes, store: { directory } }),
      ).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining('`processes` to be 2') as string,
      });
    }
    const again = await testBench({ processes: 2, store: { directory } });
    expect(await again.json('/traces/query', { body: { session_ids: ids } })).toEqual(after);
    await expect(
      startGateway({ port: 0, logLevel: 'silent', processes: 2, store: { directory } }),
    ).rejects.toMatchObject({ code: 'ART_GATEWAY_STORE_LOCKED' });
  });

  it('end calls under way before they end, and leave no process behind', async () => {
    const bench = await testBench({ processes: 2, shutdownGraceMs: 60_000 });
    const { gateway, engine, call } = bench;
    const running = await pids(bench);
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
    engine.answer = async (_request, response) => {
      await go;
      sendJson(response, 200, chatReply());
    };
    const path = '/sessions/one/v1/chat/completions';
    const pending = call(path, { body: chatCall });
    await vi.waitFor(() => expect(engine.requests).toHaveLength(1));
    const closed = gateway.close();
    const refused = await call(path, { body: chatCall });
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: 'gateway_closing' } },
    ]);
    letGo();
    const reply = await pending;
    expect([reply.status, await reply.json()]).toMatchObject([200, { choices: [{ index: 0 }] }]);
    await closed;
    for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('ask for the admin token and the keys of sessions', async () => {
    const adminToken = 'secret';
    const { call } = await testBench({ processes: 2, auth: { adminToken, sessionKeys: true } });
    expect((await call('/sessions')).status).toBe(401);
    expect((await call('/sessions/one')).status).toBe(401);
    const authorization = `Bearer ${adminToken}`;
    const created = await call('/sessions', { body: { session_id: 'one' }, headers: { authorization } });
    const { api_key: key } = (await created.json()) as { api_key: string };
    const chat = (given: string): Promise<Response> =>
      call('/sessions/one/v1/chat/completions', { body: chatCall, headers: { authorization: given } });
    expect((await chat('Bearer wrong')).status).toBe(401);
    expect((await chat(`Bearer ${key}`)).status).toBe(200);
    const listed = await call('/sessions', { headers: { authorization } });
    expect(await listed.json()).toMatchObject([{ session_id: 'one' }]);
    expect((await call('/sessions', { headers: { authorization, origin: 'http://evil' } })).status).toBe(403);
  });
});

it('refuses a store that processes cannot share', async () => {
  const store = { append: () => Promise.resolve(), tracesOf: () => Promise.resolve([]) };
  await expect(startGateway({ processes: 2, store: store as never })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});
