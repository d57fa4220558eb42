import { expect } from 'vitest';

import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { HttpTransport } from '@art/gateway/engine-port';
import { chat, type Exchanged } from './generate-harness.fixture.ts';
import {
  endOfTurn,
  idsOf,
  startMockRenderEngine,
  type MockRenderEngine,
  type MockRenderEngineOptions,
} from './mock-render-engine.fixture.ts';
import { tokenEngine, type TokenEngineOptions } from './token-engine.ts';

/** What every call asks, and the prompt that it becomes. */
export const messages = [{ role: 'user', content: 'How many?' }];
export const prompt = [2, ...idsOf('user:How many?'), endOfTurn, ...idsOf('\nassistant:')];
export const tools = [{ type: 'function', function: { name: 'count', parameters: { type: 'object' } } }];
export const routes = {
  render: '/v1/chat/completions/render',
  generate: '/inference/v1/generate',
  derender: '/v1/chat/completions/derender',
};

/** A transport in token mode before an engine that renders; both end with the test. */
export interface EngineBed {
  engine: MockRenderEngine;
  ask(body?: Record<string, unknown>): Promise<Exchanged>;
  /** Bodies of the calls to a route, without the question whether there is one. */
  sent(path: string): Record<string, unknown>[];
}

export async function setUpEngine(
  mock: MockRenderEngineOptions = {},
  options: Partial<TokenEngineOptions> = {},
): Promise<EngineBed> {
  const engine = await startMockRenderEngine(mock);
  closeAfterwards(() => engine.close());
  const http = new HttpTransport({ maxConnections: 4 });
  closeAfterwards(() => http.close());
  const transport = await tokenEngine({ engine: 'vllm', ...options })(http);
  closeAfterwards(() => transport.close());
  return {
    engine,
    ask: (body = {}) =>
      chat(transport, { messages, ...body }, { baseUrl: engine.url, flavour: 'vllm', sessionId: 's1' }),
    sent: (path) =>
      engine.calls
        .filter((call) => call.path === path && Object.keys(call.body).length > 0)
        .map((call) => call.body),
  };
}

export function messageOf(exchanged: Exchanged, choice = 0): Record<string, unknown> {
  return JSON.parse(exchanged.captured!.choices[choice]!.message) as Record<string, unknown>;
}

export function expectTokens(exchanged: Exchanged, ids: readonly number[], choice = 0): void {
  const captured = exchanged.captured?.choices[choice];
  expect(captured?.problems).toEqual([]);
  expect(Array.from(exchanged.captured?.promptTokenIds ?? [])).toEqual(prompt);
  expect(Array.from(captured?.tokenIds ?? [])).toEqual(ids);
  expect(Array.from(captured?.logprobs ?? [])).toEqual(ids.map((_, at) => -(at + 1) / 8));
}
