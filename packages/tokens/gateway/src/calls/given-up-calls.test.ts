import { describe, expect, it } from 'vitest';
import { chatCall, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm, chatChunks, chatReply, sendJson, sse } from '../mock-engine.fixture.ts';

describe('an answer that the engine gives up on', () => {
  const bodies = {
    'chat/completions': chatCall,
    completions: { model: 'm', prompt: 'hi' },
    responses: { model: 'm', input: 'hi' },
    messages: { ...chatCall, max_tokens: 5 },
  };
  const paths = Object.keys(bodies) as (keyof typeof bodies)[];
  const aborted = (): object => {
    const reply = chatReply() as { choices: { finish_reason: string }[] };
    reply.choices[0]!.finish_reason = 'abort';
    return reply;
  };

  it.each(paths)('is asked for again where nothing has gone out yet: %s', async (path) => {
    const { call, json, engine } = await testBench({ retry: { baseDelayMs: 1 } });
    engine.answer = (request, response) =>
      engine.requests.length === 1 ? sendJson(response, 200, aborted()) : answerAsVllm(request, response);
    const reply = await call(`/sessions/one/v1/${path}`, { body: bodies[path] });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hello from mock!')]);
    expect(engine.requests).toHaveLength(2);
    expect(await json('/sessions/one/traces')).toMatchObject([
      { capture: 'complete', finish_reason: 'stop' },
    ]);
  });

  it.each(paths)('is a refusal that may be tried again, and never half an answer: %s', async (path) => {
    const { call, json, engine } = await testBench({ retry: { attempts: 1, baseDelayMs: 1 } });
    engine.answer = (_request, response) => sendJson(response, 200, aborted());
    const reply = await call(`/sessions/one/v1/${path}`, { body: bodies[path] });
    const text = await reply.text();
    expect([reply.status, engine.requests.length]).toEqual([503, 2]);
    expect(text).toContain('gave up');
    expect(text).not.toContain('Hello');
    expect(await json('/sessions/one/traces')).toEqual([]);
  });

  it.each(paths.filter((path) => path !== 'completions'))(
    'is an error within a stream that has begun, and its tokens do not train: %s',
    async (path) => {
      const { call, json, engine } = await testBench();
      engine.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const chunks = chatChunks() as { choices: { finish_reason: string | null }[] }[];
        for (const chunk of chunks) {
          for (const choice of chunk.choices)
            if (choice.finish_reason === 'stop') choice.finish_reason = 'abort';
          response.write(sse(chunk));
        }
        response.end('data: [DONE]\n\n');
      };
      const reply = await call(`/sessions/one/v1/${path}`, { body: { ...bodies[path], stream: true } });
      const text = await reply.text();
      expect(text).toContain('Hello');
      expect(text).toMatch(/error|failed/);
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed|"finish_reason":\s*"abort"/);
      expect(await json('/sessions/one/traces')).toMatchObject([{ capture: 'partial' }]);
      const finished = await json('/trajectories/one/finish', { body: {} });
      expect(finished).toMatchObject({ records: [], summary: { masked_turns: [{ reason: 'partial' }] } });
    },
  );
});
