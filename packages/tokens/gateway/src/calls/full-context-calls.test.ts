import { expect, it } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, sendJson } from '../mock-engine.fixture.ts';

const words =
  "This model's maximum context length is 10 tokens. However, your prompt contains 12 input tokens, which exceeds it.";
const bodies = {
  'chat/completions': chatCall,
  completions: { model: 'm', prompt: 'hi' },
  responses: { model: 'm', input: 'hi' },
  messages: { ...chatCall, max_tokens: 5 },
};
const error = { type: 'invalid_request_error', code: 'context_length_exceeded', message: words };
const expected = {
  'chat/completions': { error: { ...error, param: 'messages' } },
  completions: { error: { ...error, param: 'prompt' } },
  responses: { error: { ...error, param: 'input' } },
  messages: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 12 tokens > 10 maximum' },
  },
};

it.each(
  (Object.keys(bodies) as (keyof typeof bodies)[]).flatMap((path) => [
    [path, false] as const,
    [path, true] as const,
  ]),
)('a full context is said as %s says it, streamed %s: no capture, no turn', async (path, stream) => {
  const { call, json, engine } = await testBench();
  await json('/trajectories', { body: { session_id: 'one', max_turns: 1 } });
  engine.answer = (_request, response) =>
    sendJson(response, 400, {
      error: { message: words, type: 'BadRequestError', param: 'input_tokens', code: 400 },
    });
  const ask = (): Promise<Response> =>
    call(`/sessions/one/v1/${path}`, { body: { ...bodies[path], stream } });
  for (let time = 0; time < 2; time += 1) {
    const reply = await ask();
    expect([reply.status, reply.headers.get('content-type'), await reply.json()]).toEqual([
      400,
      'application/json',
      expected[path],
    ]);
  }
  expect(await json('/sessions/one/traces')).toEqual([]);
  engine.answer = answerAsVllm;
  // It has shortened its conversation, and still has its turn.
  if (path !== 'completions' || !stream) expect((await ask()).status).toBe(200);
  expect(await json('/trajectories/one/finish', { body: {} })).toMatchObject({
    summary: { context_full: 2 },
  });
  expect(await (await call('/metrics')).text()).toContain('art_gateway_context_full_total 2');
});

it('is said in the body where a heartbeat has sent the status', async () => {
  const { call, json, engine } = await testBench({ heartbeat: { afterMs: 20, everyMs: 20 } });
  await json('/trajectories', { body: { session_id: 'one', max_turns: 1 } });
  const late = Promise.withResolvers<void>();
  engine.answer = async (_request, response) => {
    await late.promise;
    sendJson(response, 400, { error: { message: words } });
  };
  const reply = await call('/sessions/one/v1/chat/completions', { body: chatCall });
  late.resolve();
  expect([reply.status, await reply.json()]).toMatchObject([
    200,
    { error: { code: 'context_length_exceeded' } },
  ]);
  engine.answer = answerAsVllm;
  expect((await call('/sessions/one/v1/chat/completions', { body: chatCall })).status).toBe(200);
});

it('stays in the words of the engine where that is asked for', async () => {
  const { call, engine } = await testBench({ whenFull: 'length' });
  const refusal = { object: 'error', message: words, type: 'BadRequest', param: null, code: 400 };
  engine.answer = (_request, response) => sendJson(response, 400, refusal);
  const reply = await call('/sessions/one/v1/chat/completions', { body: chatCall });
  expect([reply.status, await reply.json()]).toEqual([400, refusal]);
});
