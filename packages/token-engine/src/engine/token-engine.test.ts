import { afterEach, beforeEach, expect, it } from 'vitest';

import { HttpTransport } from '@art/gateway/engine-port';
import { chat } from './generate-harness.fixture.ts';
import { startMockSglang, startMockVllm, type MockEngine } from './mock-engines.fixture.ts';
import { tokenEngine, type TokenEngineOptions } from './token-engine.ts';

const http = new HttpTransport({ maxConnections: 4 });
let engine: MockEngine;
beforeEach(async () => {
  engine = await startMockSglang();
});
afterEach(async () => {
  await engine.close();
});

const user = { role: 'user', content: '1.0' };
const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';

it.each([false, true])('without a checkpoint the engine tokenises, stream %s', async (stream) => {
  engine.routes.set('/tokenize', () => ({ tokens: [5, 6, 7], count: 3 }));
  engine.routes.set('/detokenize', ({ tokens }) => ({
    prompt: (tokens as number[])[0] === 5 ? 'the prompt' : call,
  }));
  engine.answer = () => ({ ids: [8, 9], finish: { type: 'stop', matched: 9 } });
  const transport = await tokenEngine({ engine: 'sglang', toolCallParser: 'qwen' })(http);
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const { captured } = await chat(transport, { messages: [user], tools, stream }, { baseUrl: engine.url });
  expect(captured).toMatchObject({ ended: true, choices: [{ problems: [], finishReason: 'tool_calls' }] });
  expect(Array.from(captured!.promptTokenIds)).toEqual([5, 6, 7]);
  expect(Array.from(captured!.choices[0]!.tokenIds)).toEqual([8, 9]);
  expect(JSON.parse(captured!.choices[0]!.message)).toMatchObject({
    tool_calls: [{ function: { name: 'f', arguments: '{}' } }],
  });
  const asked = engine.calls.find((one) => one.path === '/tokenize');
  expect(asked?.body).toMatchObject({ model: 'm', messages: [user], tools, add_generation_prompt: true });
  const shown = engine.calls.filter((one) => one.path === '/detokenize').map((one) => one.body['tokens']);
  expect(shown).toContainEqual([8]);
  await transport.close();
});

it.each([false, true])(
  'what ended the answer is not shown, though vLLM does not name it, stream %s',
  async (stream) => {
    const vllm = await startMockVllm();
    vllm.routes.set('/tokenize', () => ({ tokens: [5, 6, 7], count: 3 }));
    vllm.routes.set('/detokenize', ({ tokens }) => ({ prompt: (tokens as number[]).join(' ') }));
    const transport = await tokenEngine({ engine: 'vllm' })(http);
    const content = async (finish: string, more = {}): Promise<unknown> => {
      vllm.answer = () => ({ ids: [8, 9, 1], finish });
      const body = { messages: [user], stream, ...more };
      const { captured } = await chat(transport, body, { baseUrl: vllm.url, flavour: 'vllm' });
      expect(Array.from(captured!.choices[0]!.tokenIds)).toEqual([8, 9, 1]);
      return (JSON.parse(captured!.choices[0]!.message) as { content: unknown }).content;
    };
    expect(await content('stop')).toBe('8 9');
    expect(await content('length')).toBe('8 9 1');
    // It may have been the text, and then the last token is a part of the answer.
    expect(await content('stop', { stop: ['x'] })).toBe('8 9 1');
    await transport.close();
    await vllm.close();
  },
);

it('an engine that cannot tokenise messages is named as the reason', async () => {
  const transport = await tokenEngine({ engine: 'sglang' })(http);
  const exchanged = await chat(transport, { messages: [user] }, { baseUrl: engine.url });
  expect(exchanged.status).toBe(502);
  expect(JSON.parse(exchanged.text)).toMatchObject({
    error: { code: 'tokenize_failed', message: expect.stringContaining('/tokenize (404)') as string },
  });
});

it.each<[string, Partial<TokenEngineOptions>]>([
  ['engine', { engine: 'trtllm' as 'vllm' }],
  ['toolCallParser', { toolCallParser: 'nope' }],
  ['reasoningParser', { reasoningParser: 'nope' }],
  ['renderThreads', { renderThreads: 0 }],
  ['maxContextTokens', { maxContextTokens: -1 }],
  ['defaultMaxTokens', { defaultMaxTokens: 0 }],
  ['readTimeoutMs', { readTimeoutMs: 0.5 }],
])('%s is checked', (name, options) => {
  expect(() => tokenEngine({ engine: 'sglang', ...options })).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(name) as string }),
  );
});
