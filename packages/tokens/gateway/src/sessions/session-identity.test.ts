import { describe, expect, it } from 'vitest';
import { chatCall, testBench, type Bench } from '../gateway-bench.fixture.ts';

/** Which session a call's capture went to. */
async function tracedTo(
  bench: Bench,
  path: string,
  headers: Record<string, string>,
  body: object,
): Promise<string[]> {
  const reply = await bench.call(path, { body: { ...chatCall, ...body }, headers });
  expect(reply.status).toBe(200);
  await reply.text();
  const listed = (await bench.json('/sessions')) as { session_id: string }[];
  const ids = listed.map((session) => session.session_id);
  await bench.json('/sessions/batch_delete', { body: { session_ids: ids } });
  return ids;
}

const path = '/v1/chat/completions';

describe('the session of a call', () => {
  it('is named by URL, header, key and body, in this order', async () => {
    const bench = await testBench();
    const metadata = { metadata: { session_id: 'body' } };
    expect(await tracedTo(bench, path, {}, metadata)).toEqual(['body']);
    expect(await tracedTo(bench, path, {}, { proxy_x_session_id: 'switchyard' })).toEqual(['switchyard']);
    const rllm = (id: string): object => ({ rllm: { session_id: id, harness: 'react' } });
    expect(await tracedTo(bench, path, {}, rllm('top'))).toEqual(['top']);
    expect(await tracedTo(bench, path, {}, { metadata: rllm('nested') })).toEqual(['nested']);
    expect(await tracedTo(bench, path, { 'x-rllm-session-id': 'header3' }, rllm('x'))).toEqual(['header3']);
    expect(await tracedTo(bench, path, { 'x-session-id': 'header' }, metadata)).toEqual(['header']);
    expect(await tracedTo(bench, path, { 'x-session-id': 'a', 'x-art-session-id': 'b' }, {})).toEqual(['b']);
    expect(await tracedTo(bench, `/sessions/url${path}`, { 'x-session-id': 'header2' }, metadata)).toEqual([
      'url',
    ]);
  });

  it('is named by a key of the gateway, as Bearer or x-api-key, which the engine does not see', async () => {
    const bench = await testBench();
    const { api_key: key } = (await bench.json('/sessions', { body: { session_id: 'one' } })) as {
      api_key: string;
    };
    expect(await tracedTo(bench, path, { authorization: `Bearer ${key}` }, {})).toEqual(['one']);
    expect(bench.engine.last().headers.authorization).toBeUndefined();
    await bench.json('/sessions', { body: { session_id: 'one' } });
    expect(await tracedTo(bench, path, { 'x-api-key': key }, { metadata: { session_id: 'body' } })).toEqual([
      'one',
    ]);
    expect(bench.engine.last().headers['x-api-key']).toBeUndefined();
  });

  it('is named by a key that is a known id, and by no other', async () => {
    const bench = await testBench();
    expect(await tracedTo(bench, path, { authorization: 'Bearer sk-secret' }, { user: 'eve' })).toEqual([]);
    expect(bench.engine.last().headers.authorization).toBe('Bearer sk-secret');
    await bench.json('/sessions', { body: { session_id: 'known' } });
    expect(await tracedTo(bench, path, { authorization: 'Bearer known' }, {})).toEqual(['known']);
    expect(bench.engine.last().headers.authorization).toBeUndefined();
    await bench.json('/sessions', { body: { session_id: 'adam' } });
    expect(await tracedTo(bench, path, {}, { user: 'adam' })).toEqual(['adam']);
  });

  it('is made by any key where that is wanted', async () => {
    const bench = await testBench({ sessionsFromKeys: true });
    const metadata = { metadata: { session_id: 'body' }, user: 'eve' };
    expect(await tracedTo(bench, path, { authorization: 'Bearer ep1:solver' }, metadata)).toEqual([
      'ep1:solver',
    ]);
    expect(bench.engine.last().headers.authorization).toBeUndefined();
    expect(await tracedTo(bench, path, { 'x-api-key': 'ep1:critic' }, {})).toEqual(['ep1:critic']);
    expect(await tracedTo(bench, path, {}, { user: 'eve' })).toEqual(['eve']);
    expect(await tracedTo(bench, path, {}, {})).toEqual([]);
  });

  it('has to be one that can be', async () => {
    const { call, engine } = await testBench();
    for (const path of ['/sessions/a%0Ab/v1/models', `/sessions/${'x'.repeat(513)}/v1/models`]) {
      const reply = await call(path);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { code: 'invalid_session_id' } });
    }
    expect((await call('/sessions/%E0%A4%A/v1/models')).status).toBe(400);
    expect(engine.requests).toHaveLength(0);
  });
});

describe('a deleted session', () => {
  it('is not brought back by a call that was under way', async () => {
    const { call, json, engine } = await testBench();
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    const { promise: go, resolve: release } = Promise.withResolvers<void>();
    const answer = engine.answer;
    engine.answer = async (request, response) => {
      tellAsked();
      await go;
      await answer(request, response);
    };
    const pending = call('/sessions/one/v1/chat/completions', { body: chatCall });
    await asked;
    expect(await json('/sessions/one')).toMatchObject({ active_calls: 1 });
    await json('/sessions/one', { method: 'DELETE' });
    release();
    expect((await pending).status).toBe(200);
    expect((await call('/sessions/one')).status).toBe(404);
    expect(await json('/sessions')).toEqual([]);
  });

  it('is not brought back by an agent that continues, only by its trainer', async () => {
    const { call, json } = await testBench();
    const go = async (): Promise<number> => {
      const reply = await call('/sessions/one/v1/chat/completions', { body: chatCall });
      await reply.text();
      return reply.status;
    };
    await go();
    await json('/sessions/one', { method: 'DELETE' });
    expect(await go()).toBe(200);
    expect((await call('/sessions/one')).status).toBe(404);
    await json('/sessions', { body: { session_id: 'one' } });
    expect(await go()).toBe(200);
    expect(await json('/sessions/one')).toMatchObject({ trace_count: 1 });
  });

  it('that never was may be used afterwards', async () => {
    const { call, json } = await testBench();
    await json('/sessions/one', { method: 'DELETE' });
    await (await call('/sessions/one/v1/chat/completions', { body: chatCall })).text();
    expect(await json('/sessions/one')).toMatchObject({ trace_count: 1 });
  });
});

describe('with session keys on', () => {
  it('a call needs the key of its own session', async () => {
    const { call, json } = await testBench({ auth: { sessionKeys: true } });
    const key = async (id: string): Promise<string> =>
      ((await json('/sessions', { body: { session_id: id } })) as { api_key: string }).api_key;
    const [one, two] = [await key('one'), await key('two')];
    const status = async (path: string, bearer?: string): Promise<number> => {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      return (await call(path, { body: chatCall, headers })).status;
    };
    expect(await status('/sessions/one/v1/chat/completions', one)).toBe(200);
    expect(await status('/v1/chat/completions', one)).toBe(200);
    expect(await status('/sessions/one/v1/chat/completions', two)).toBe(401);
    expect(await status('/sessions/one/v1/chat/completions', 'one')).toBe(401);
    expect(await status('/sessions/one/v1/chat/completions')).toBe(401);
    expect(await status('/v1/chat/completions')).toBe(401);
  });
});
