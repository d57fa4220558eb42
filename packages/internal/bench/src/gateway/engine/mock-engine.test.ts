import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exchangeWith } from '@art/tooling/mock-differences';
import { differencesFromVllm } from '@art/tooling/vllm-dialect';
import { expect, it, onTestFinished } from 'vitest';
import { modelName } from './call-model.ts';
import { createMockEngine } from './mock-engine.ts';

it.each([
  ['a reply', modelName({ kind: 'whole', promptTokens: 20, completionTokens: 5, delayMs: 0 })],
  ['a stream', modelName({ kind: 'stream', promptTokens: 20, chunks: 3, paceMs: 1 })],
  ['a turn', modelName({ kind: 'turn', conversation: 1, turn: 1 })],
  ['a refusal', 'unknown'],
])('sends %s as the real vLLM does, member by member', async (_name, model) => {
  const engine = createMockEngine().listen(0, '127.0.0.1');
  onTestFinished(() => void engine.close());
  await once(engine, 'listening');
  const url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const path = '/v1/chat/completions';
  const exchange = await exchangeWith(url, { method: 'POST', path, request: { model, messages: [] } });
  expect(differencesFromVllm(exchange)).toEqual([]);
});
