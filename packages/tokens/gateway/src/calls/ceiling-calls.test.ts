import { setTimeout as pause } from 'node:timers/promises';
import type { SessionCeilings, Spent } from '@art/protocol';
import { expect, it } from 'vitest';
import { type Bench, chatCall, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, sendJson } from '../mock-engine.fixture.ts';

const nothing = { calls: 0, tokens: 0, usd: 0 };

/** Each call of the mock engine has 5 tokens of a prompt and 3 of an answer. */
async function bounded(ceilings: SessionCeilings, sessions: readonly string[] = ['one']): Promise<Bench> {
  const bench = await testBench({ retry: { baseDelayMs: 1 } });
  for (const session_id of sessions) await bench.json('/trajectories', { body: { session_id, ceilings } });
  return bench;
}

function ask(bench: Bench, session: string, stream = false, model = 'mock-model'): Promise<Response> {
  return bench.call(`/sessions/${session}/v1/chat/completions`, { body: { ...chatCall, model, stream } });
}

async function askTimes(bench: Bench, session: string, times: number, stream = false): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const reply = await ask(bench, session, stream);
    await reply.text();
    statuses.push(reply.status);
  }
  return statuses;
}

it.each([
  [{ calls: 2 }, false],
  [{ calls: 2 }, true],
  [{ tokens: 16 }, false],
  [{ tokens: 9 }, true],
  [{ usd: 0.000_011 }, true],
])('a session ends at its ceiling %j, streamed %s', async (sample, stream) => {
  const bench = await bounded({ sample, prices: { 'mock-model': { input: 1, output: 1 } } });
  expect(await askTimes(bench, 'one', 4, stream)).toEqual([200, 200, 402, 402]);
  expect(bench.engine.requests).toHaveLength(2);
  const [unit] = Object.keys(sample);
  expect(await bench.json('/trajectories/one')).toMatchObject({
    ceiling: { of: 'sample', unit },
    spent: null,
  });
});

it('an error says which ceiling it was, in the words of each API', async () => {
  const bench = await bounded({ sample: { calls: 1 } });
  await askTimes(bench, 'one', 1);
  const message = 'The ceiling of the session is reached: all of its 1 calls are spent.';
  const refused = { type: 'ceiling_reached', code: 'sample_ceiling_reached', param: null, message };
  expect(await (await ask(bench, 'one')).json()).toEqual({ error: refused });
  const messages = await bench.call('/sessions/one/v1/messages', { body: { ...chatCall, max_tokens: 1 } });
  expect(await messages.json()).toEqual({ type: 'error', error: { type: 'billing_error', message } });
});

it.each([false, true])('a run is passed by no more than the calls in flight, streamed %s', async (stream) => {
  const names = Array.from({ length: 6 }, (_, at) => `s${at}`);
  const run = { id: 'r', ceiling: { tokens: 80 }, spent: nothing };
  const bench = await bounded({ run }, names);
  bench.engine.answer = async (request, response) => {
    await pause(1);
    return answerAsVllm(request, response);
  };
  const statuses = (await Promise.all(names.map((name) => askTimes(bench, name, 10, stream)))).flat();
  const answered = statuses.filter((status) => status === 200).length;
  expect(bench.engine.requests).toHaveLength(answered);
  expect(answered).toBeGreaterThanOrEqual(10);
  expect(answered).toBeLessThan(10 + names.length);
  const states = await Promise.all(names.map((name) => bench.json(`/trajectories/${name}`)));
  for (const state of states)
    expect(state).toMatchObject({ ceiling: { of: 'run', unit: 'tokens' }, spent: { calls: answered } });
});

it('a ceiling of calls is never passed, however many there are at once', async () => {
  const bench = await bounded({ run: { id: 'r', ceiling: { calls: 3 }, spent: nothing } });
  const replies = await Promise.all(Array.from({ length: 9 }, () => ask(bench, 'one')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(bench.engine.requests).toHaveLength(3);
});

it('what its run spent before counts, here and in an earlier process', async () => {
  const run = { id: 'r', ceiling: { calls: 4 }, spent: { ...nothing, calls: 2 } };
  const bench = await bounded({ run });
  expect(await askTimes(bench, 'one', 1)).toEqual([200]);
  await bench.json('/trajectories', { body: { session_id: 'two', ceilings: { run } } });
  expect(await askTimes(bench, 'two', 2)).toEqual([200, 402]);
});

it('a refusal of the engine is paid by the run, and is not the doing of the session', async () => {
  const run = { id: 'r', ceiling: { calls: 3 }, spent: nothing };
  const bench = await bounded({ sample: { calls: 1 }, run });
  let failures = 2;
  bench.engine.answer = (request, response) =>
    failures-- > 0
      ? sendJson(response, 503, { error: { message: 'busy' } })
      : answerAsVllm(request, response);
  expect(await askTimes(bench, 'one', 2)).toEqual([200, 402]);
  expect(await bench.json('/trajectories/one')).toMatchObject({ spent: { calls: 3 } });
});

it('a model without a price is not asked; a price of 0 is one', async () => {
  const ceilings = { sample: { usd: 1 }, prices: { 'mock-model': { input: 0, output: 0 } } };
  const bench = await bounded(ceilings);
  expect(await askTimes(bench, 'one', 2)).toEqual([200, 200]);
  const refused = await ask(bench, 'one', false, 'other');
  expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining('has no price')]);
  expect(bench.engine.requests).toHaveLength(2);
  expect(await bench.json('/trajectories/one')).toMatchObject({ ceiling: { of: 'run', unit: 'usd' } });
});

it('what the engine does not count is counted by its bytes', async () => {
  const bench = await bounded({ run: { id: 'r', ceiling: { tokens: 1_000_000 }, spent: nothing } });
  bench.engine.answer = (_, response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }],
    });
  await askTimes(bench, 'one', 1);
  await bench.call('/sessions/one/v1/embeddings', { body: { model: 'm', input: 'hi' } });
  const { spent } = (await bench.json('/trajectories/one')) as { spent: Spent };
  const bytes = JSON.stringify(chatCall).length + JSON.stringify({ model: 'm', input: 'hi' }).length;
  expect(spent.calls).toBe(2);
  expect(spent.tokens).toBeGreaterThanOrEqual(bytes + 'hello'.length);
  expect(spent.tokens).toBeLessThan(2 * bytes);
});

it('ceilings that are none are refused', async () => {
  const bench = await testBench();
  const body = { session_id: 'one', ceilings: { sample: { pages: 1 } } };
  expect((await bench.call('/trajectories', { body })).status).toBe(422);
});
