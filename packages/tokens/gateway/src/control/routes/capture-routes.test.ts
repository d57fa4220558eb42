import { expect, it } from 'vitest';
import { chatCall, testBench, type Bench } from '../../gateway-bench.fixture.ts';
import { chatReply, sendJson } from '../../mock-engine.fixture.ts';
import type { GatewayOptions } from '../../index.ts';

/** A session with two calls, of two choices each; the second token of each tells which. */
async function callForTwo(options: GatewayOptions = {}): Promise<Bench> {
  const bench = await testBench(options);
  let calls = 0;
  bench.engine.answer = (_request, response) => {
    calls += 1;
    const [choice] = chatReply()['choices'] as Record<string, unknown>[];
    const choices = [0, 1].map((index) => ({
      ...choice,
      index,
      token_ids: [10, calls * 10 + index, 12],
    }));
    sendJson(response, 200, { ...chatReply(), choices, usage: { prompt_tokens: 5, completion_tokens: 6 } });
  };
  for (const _call of [1, 2])
    await bench.json('/sessions/s/v1/chat/completions', { body: { ...chatCall, n: 2 } });
  return bench;
}

async function told({ json }: Bench, path: string, body?: object): Promise<(number | undefined)[]> {
  const captures = (await json(path, body === undefined ? {} : { body })) as {
    completion_token_ids: number[];
  }[];
  return captures.map((capture) => capture.completion_token_ids[1]);
}

it('a call that asked for several choices has a capture for each, or one where that is asked for', async () => {
  const bench = await callForTwo();
  expect(await told(bench, '/sessions/s/traces')).toEqual([10, 11, 20, 21]);
  expect(await told(bench, '/sessions/s/traces?choices=all')).toEqual([10, 11, 20, 21]);
  expect(await told(bench, '/sessions/s/traces?choices=first')).toEqual([10, 20]);
  expect(await told(bench, '/sessions/s/traces?choices=first&limit=2')).toEqual([10, 20]);
  expect(await told(bench, '/traces/query', { session_ids: ['s'], choices: 'first' })).toEqual([10, 20]);
  expect(await bench.json('/sessions/s/traces?choices=first&format=compact')).toMatchObject({
    deltas: [{ completion_token_ids: [10, 10, 12] }, { completion_token_ids: [10, 20, 12] }],
  });
  const refused = await bench.call('/sessions/s/traces?choices=last');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("'all' or 'first'")]);
});

it('the gateway can be set to one capture a call, for trainers that cannot ask', async () => {
  const bench = await callForTwo({ captureChoices: 'first' });
  expect(await told(bench, '/sessions/s/traces')).toEqual([10, 20]);
  expect(await told(bench, '/traces/query', { session_ids: ['s'] })).toEqual([10, 20]);
  expect(await told(bench, '/sessions/s/traces?choices=all')).toEqual([10, 11, 20, 21]);
  expect(await bench.json('/sessions/s')).toMatchObject({ trace_count: 4 });
});
