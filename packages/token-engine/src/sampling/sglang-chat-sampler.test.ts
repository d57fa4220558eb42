import { beforeEach, expect, it } from 'vitest';

import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { HttpTransport } from '@art/gateway/engine-port';
import { chat, type Exchanged } from '../engine/generate-harness.fixture.ts';
import { startMockSglang, type MockEngine } from '../engine/mock-engines.fixture.ts';
import { tokenEngine } from '../engine/token-engine.ts';

const messages = [{ role: 'user', content: '1.0' }];
const tools = [{ type: 'function', function: { name: 'f' } }];
const prompt = [5, 6, 7];
const chatRoute = '/v1/chat/completions';

let engine: MockEngine;
let ask: (body?: Record<string, unknown>) => Promise<Exchanged>;
beforeEach(async () => {
  engine = await startMockSglang();
  closeAfterwards(() => engine.close());
  engine.routes.set('/tokenize', () => ({ tokens: prompt }));
  engine.routes.set(chatRoute, (body) => replyTo(body));
  const http = new HttpTransport({ maxConnections: 4 });
  closeAfterwards(() => http.close());
  const transport = await tokenEngine({ engine: 'sglang', toolCallParser: 'engine' })(http);
  closeAfterwards(() => transport.close());
  ask = (body = {}) => chat(transport, { messages, tools, ...body }, { baseUrl: engine.url });
});

/** As 0.5.13 answers. */
function replyTo({ n = 1, input_ids: ids }: { n?: number; input_ids?: unknown }): Record<string, unknown> {
  return {
    id: 'x',
    object: 'chat.completion',
    choices: Array.from({ length: n }, (_choice, index) => ({
      index,
      message: {
        role: 'assistant',
        content: null,
        reasoning_content: `thought ${index}`,
        tool_calls: [
          { id: 'c1', index: 0, type: 'function', function: { name: 'f', arguments: '{"a":1.0}' } },
        ],
      },
      finish_reason: 'tool_calls',
      matched_stop: null,
      prompt_token_ids: ids,
      meta_info: {
        id: 'x',
        finish_reason: { type: 'stop', matched: 9 },
        prompt_tokens: prompt.length,
        completion_tokens: 2,
        weight_version: '4',
        output_token_logprobs: [
          [-0.5, 8, null],
          [-0.25, 9, null],
        ],
      },
    })),
    usage: { prompt_tokens: prompt.length, completion_tokens: 2 * n },
  };
}

it.each([false, true])('SGLang samples from ids and takes its answer apart, stream %s', async (stream) => {
  const session = { max_new_tokens: 77, top_k: 3 };
  const { captured } = await ask({ stream, tool_choice: 'required', max_tokens: 5, ...session });
  expect(captured).toMatchObject({
    ended: true,
    weightVersion: '4',
    usage: { prompt: 3, completion: 2 },
    choices: [{ problems: [], finishReason: 'tool_calls' }],
  });
  expect(Array.from(captured!.promptTokenIds)).toEqual(prompt);
  expect(Array.from(captured!.choices[0]!.tokenIds)).toEqual([8, 9]);
  expect(Array.from(captured!.choices[0]!.logprobs!)).toEqual([-0.5, -0.25]);
  expect(JSON.parse(captured!.choices[0]!.message)).toMatchObject({
    reasoning_content: 'thought 0',
    tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1.0}' } }],
  });
  const asked = engine.calls.find((call) => call.path === chatRoute)!;
  expect(asked.headers['x-smg-routing-key']).toBe('s1');
  expect(asked.body).toMatchObject({
    messages,
    tools,
    input_ids: prompt,
    stream: false,
    logprobs: true,
    return_prompt_token_ids: true,
    return_meta_info: true,
    max_completion_tokens: 77,
    tool_choice: 'required',
    top_k: 3,
  });
  // Refused, or not known there.
  for (const name of ['stream_options', 'max_tokens', 'max_new_tokens', 'return_output_ids_in_sglext']) {
    expect(asked.body).not.toHaveProperty(name);
  }
});

it('gives several answers', async () => {
  const { captured } = await ask({ n: 2 });
  expect(captured?.choices.map((choice) => choice.problems)).toEqual([[], []]);
  expect(captured?.choices.map((choice) => JSON.parse(choice.message) as unknown)).toMatchObject([
    { reasoning_content: 'thought 0' },
    { reasoning_content: 'thought 1' },
  ]);
  expect(captured?.usage.completion).toBe(4);
  expect(engine.calls.at(-1)!.body).not.toHaveProperty('rid');
});

it.each([undefined, [5, 6], [5, 6, 8], [5, 6, 7, 7]])(
  'a release that renders for itself is found out: %j',
  async (told) => {
    engine.routes.set(chatRoute, () => replyTo({ input_ids: told }));
    const exchanged = await ask();
    expect(exchanged.status).toBe(501);
    expect(JSON.parse(exchanged.text)).toMatchObject({
      error: {
        code: 'engine_parser_unavailable',
        message: expect.stringContaining('SGLang 0.5.13') as string,
      },
    });
  },
);

it('an answer that was given up is none', async () => {
  const reply = replyTo({ input_ids: prompt });
  const [choice] = reply['choices'] as { meta_info: Record<string, unknown> }[];
  choice!.meta_info['finish_reason'] = { type: 'abort', message: 'weights are updated' };
  engine.routes.set(chatRoute, () => reply);
  const exchanged = await ask();
  expect(exchanged.status).toBe(502);
  expect(exchanged.text).toContain('weights are updated');
});

it('a full context is an answer of no tokens', async () => {
  const http = new HttpTransport({ maxConnections: 4 });
  closeAfterwards(() => http.close());
  const transport = await tokenEngine({
    engine: 'sglang',
    toolCallParser: 'engine',
    maxContextTokens: 3,
  })(http);
  const { captured } = await chat(transport, { messages }, { baseUrl: engine.url });
  expect(captured?.choices[0]).toMatchObject({ finishReason: 'length', problems: [] });
  expect(engine.calls.map((call) => call.path)).toEqual(['/tokenize']);
});
