import { exchangeWith, mockDifferences } from '@art/tooling/mock-differences';
import { differencesFromVllm } from '@art/tooling/vllm-dialect';
import { expect, it } from 'vitest';

import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { startMockVllm, startMockVllmCompletions } from './mock-engines.fixture.ts';
import { endOfTurn, idsOf, startMockRenderEngine } from './mock-render-engine.fixture.ts';

const render = '/v1/chat/completions/render';
const derender = '/v1/chat/completions/derender';
const generate = '/inference/v1/generate';

it.each([
  ['that renders', startMockRenderEngine, [render, derender, generate]],
  ['of tokens', startMockVllm, [generate]],
  ['of completions', startMockVllmCompletions, ['/v1/completions']],
] as const)(
  'a mock engine %s answers as the real vLLM does',
  async (_name, start, paths: readonly string[]) => {
    const engine = await start();
    closeAfterwards(() => engine.close());
    engine.answer = () => ({ ids: [...idsOf('Hi'), endOfTurn] });
    const differences = await mockDifferences(engine.url, ({ path, request }) => {
      // Token mode never asks for a text to be continued.
      return paths.includes(path) && typeof (request as { prompt?: unknown }).prompt !== 'string';
    });
    expect(differences).toEqual([]);
  },
);

it.each([
  [{}, derender],
  [{ isScaleOutOff: true }, derender],
  [{ isScaleOutOff: true }, generate],
])('a mock engine %j refuses on %s as the real vLLM does', async (options, path) => {
  const engine = await startMockRenderEngine(options);
  closeAfterwards(() => engine.close());
  const answer = await exchangeWith(engine.url, { method: 'POST', path, request: {} });
  expect(differencesFromVllm(answer)).toEqual([]);
});
