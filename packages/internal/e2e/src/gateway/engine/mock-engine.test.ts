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
  const engine = await started();
  expect(await mockDifferences(engine.url)).toEqual([]);
});

it('refuses as the real vLLM does', async () => {
  const engine = await started({ fault: () => ({ kind: 'refuse', status: 400, message: 'too long' }) });
  const request = { messages: [] };
  const exchange = await exchangeWith(engine.url, { method: 'POST', path: '/v1/chat/completions', request });
  expect(exchange.status).toBe(400);
  expect(differencesFromVllm(exchange)).toEqual([]);
});
