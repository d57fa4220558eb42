import { describe, expect, it } from 'vitest';
import { chatCall, testBench, type Bench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, mockTurn, sendJson, type MockAnswer } from '../mock-engine.fixture.ts';

const chat = '/sessions/one/v1/chat/completions';
const heartbeat = { afterMs: 20, everyMs: 20, budgetMs: 60_000 };

/** The last event of a stream. */
function lastEvent(text: string): unknown {
  return JSON.parse(text.slice(text.lastIndexOf('data: ') + 'data: '.length));
}

/** Lets the engine answer once the agent has seen a sign of life. */
async function answerAfterBeat(
  bench: Bench,
  answer: MockAnswer,
  body: object,
): Promise<{ status: number; text: string }> {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  bench.engine.answer = async (request, response) => {
    await go;
    await answer(request, response);
  };
  const reply = await bench.call(chat, { body });
  let text = '';
  for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    release();
  }
  return { status: reply.status, text };
}

describe('a call that is silent for long', () => {
  it('is kept alive by white space, and its reply is the same document', async () => {
    const bench = await testBench({ heartbeat });
    const { status, text } = await answerAfterBeat(bench, answerAsVllm, chatCall);
    expect(status).toBe(200);
    expect(text).toMatch(/^ +\{/);
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'Hello from mock!' } }] });
    expect(await bench.json('/sessions/one/traces')).toMatchObject([
      { completion_token_ids: mockTurn.tokenIds },
    ]);
    expect(await (await bench.call('/metrics')).text()).toMatch(/art_gateway_heartbeats_total [1-9]/);
  });

  it('is kept alive by comments in a stream', async () => {
    const bench = await testBench({ heartbeat });
    const { text } = await answerAfterBeat(bench, answerAsVllm, { ...chatCall, stream: true });
    expect(text).toMatch(/^(: keepalive\n\n)+data: \{/);
    expect(text).toContain('[DONE]');
    expect(await bench.json('/sessions/one/traces')).toMatchObject([{ capture: 'complete' }]);
  });

  it('tells what goes wrong late in the body, once, without trying again', async () => {
    const bench = await testBench({ heartbeat });
    const refuse: MockAnswer = (_request, response) =>
      sendJson(response, 500, { error: { message: 'boom' } });
    const whole = await answerAfterBeat(bench, refuse, chatCall);
    expect(whole.status).toBe(200);
    expect(JSON.parse(whole.text)).toMatchObject({
      error: { message: 'boom', type: 'gateway_upstream_error', code: 500 },
    });
    expect(bench.engine.requests).toHaveLength(1);
    const streamed = await answerAfterBeat(bench, refuse, { ...chatCall, stream: true });
    expect(lastEvent(streamed.text)).toMatchObject({
      error: { message: 'boom', type: 'gateway_upstream_error', code: 500 },
    });
    expect(await bench.json('/sessions/one/traces')).toEqual([]);
  });

  it('is given up when its time is used up', async () => {
    const bench = await testBench({ heartbeat: { ...heartbeat, budgetMs: 100 } });
    bench.engine.answer = () => undefined;
    // Where this process is held up for longer than the budget, the engine is not asked at all.
    while (bench.engine.requests.length === 0) {
      const reply = await bench.call(chat, { body: chatCall });
      expect(JSON.parse(await reply.text())).toMatchObject({
        error: { type: 'gateway_upstream_timeout', code: 504 },
      });
    }
    await bench.engine.last().dropped;
    const streamed = await bench.call(chat, { body: { ...chatCall, stream: true } });
    expect(streamed.status).toBe(200);
    expect(lastEvent(await streamed.text())).toMatchObject({
      error: { type: 'gateway_upstream_timeout', code: 504 },
    });
    const messages = await bench.call('/sessions/one/v1/messages', {
      body: { ...chatCall, stream: true, max_tokens: 9 },
    });
    expect(lastEvent(await messages.text())).toMatchObject({
      type: 'error',
      error: { type: 'timeout_error' },
    });
    const early = await testBench({ heartbeat: { afterMs: 60_000, budgetMs: 50 } });
    early.engine.answer = () => undefined;
    const refused = await early.call(chat, { body: chatCall });
    expect([refused.status, await refused.json()]).toMatchObject([
      504,
      { error: { code: 'gateway_timeout' } },
    ]);
  });
});
