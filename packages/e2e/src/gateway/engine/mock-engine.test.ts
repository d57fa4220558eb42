import { differencesFromVllm } from '@art/tooling/vllm-dialect';
import { exchangeWith, mockDifferences } from '@art/tooling/mock-differences';
import { expect, it, onTestFinished } from 'vitest';
import type { EngineRequest } from './engine-request.ts';
import { startMockEngine, type MockEngine, type MockEngineOptions } from './mock-engine.ts';

async function started(options: Partial<MockEngineOptions> = {}): Promise<MockEngine> {
  const answer = ({ tools }: EngineRequest & { tools?: unknown }): ReturnType<MockEngineOptions['answer']> =>
    tools === undefined
      ? { content: 'Some words.' }
      : { content: 'Let me see.', toolCalls: [{ name: 'weather', arguments: '{"city": "Oslo"}' }] };
  const engine = await startMockEngine({ flavour: 'vllm', answer, ...options });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  return engine;
}

it('answers as the real vLLM does, member by member', async () => {
  const engine = await started({ scaleOut: 'whole' });
  expect(await mockDifferences(engine.url, ({ path }) => !path.endsWith('/derender'))).toEqual([]);
  const request = { token_ids: [1], sampling_params: {} };
  const sampled = await exchangeWith(engine.url, { method: 'POST', path: '/inference/v1/generate', request });
  const derender = {
    method: 'POST',
    path: '/v1/chat/completions/derender',
    request: { generate_response: JSON.parse(sampled.pieces.join('')) as object },
  };
  expect(differencesFromVllm(await exchangeWith(engine.url, derender))).toEqual([]);
});

it('refuses as the real vLLM does', async () => {
  const engine = await started({
    scaleOut: 'off',
    fault: () => ({ kind: 'refuse', status: 400, message: 'too long' }),
  });
  for (const path of ['/v1/chat/completions', '/v1/chat/completions/render', '/inference/v1/generate']) {
    const exchange = await exchangeWith(engine.url, { method: 'POST', path, request: { messages: [] } });
    expect(exchange.status).toBe(path.endsWith('/chat/completions') ? 400 : 403);
    expect(differencesFromVllm(exchange)).toEqual([]);
  }
});
