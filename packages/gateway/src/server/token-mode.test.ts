import { describe, expect, it } from 'vitest';
import { chatCall, closeAfterwards, testBench } from '../gateway-bench.fixture.ts';
import { startMockSglang, startMockVllm } from '../generate/mock-engines.fixture.ts';
import { modelFolders } from '../tokens/models.fixture.ts';
import { startGateway } from './start-gateway.ts';

describe('token mode', () => {
  it.each([
    ['sglang', startMockSglang],
    ['vllm', startMockVllm],
  ] as const)('renders, samples and captures token ids with %s', async (engine, start) => {
    const mock = await start();
    mock.answer = () => ({ ids: [9707, 0, 151645] });
    closeAfterwards(() => mock.close());
    const { json, call } = await testBench({
      workers: [{ url: mock.url }],
      tokenMode: { engine, checkpoint: modelFolders['qwen2.5'], toolCallParser: 'qwen', cumulative: true },
    });
    const reply = await json('/sessions/one/v1/chat/completions', { body: chatCall });
    expect(reply).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] });
    expect(JSON.stringify(reply)).not.toContain('token_ids');
    const stream = await call('/sessions/one/v1/chat/completions', { body: { ...chatCall, stream: true } });
    expect(await stream.text()).toContain('data: [DONE]');
    const traces = (await json('/sessions/one/traces')) as Record<string, unknown>[];
    for (const trace of traces) {
      expect(trace).toMatchObject({ capture: 'complete', capture_problems: [], engine });
      expect(trace).toMatchObject({ completion_token_ids: [9707, 0, 151645] });
      expect(trace['prompt_token_ids']).not.toHaveLength(0);
    }
    expect(traces).toHaveLength(2);
    expect(await json('/sessions/one', { method: 'DELETE' })).toEqual({ deleted: 2 });
  });

  it('refuses at the start what it cannot do', async () => {
    const start = (tokenMode: object): Promise<unknown> =>
      startGateway({ port: 0, logLevel: 'silent', tokenMode: { engine: 'sglang', ...tokenMode } });
    await expect(start({ toolCallParser: 'no-such-parser' })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    await expect(start({ checkpoint: '/no/such/folder' })).rejects.toMatchObject({
      code: 'ART_TOKENIZER_UNREADABLE',
    });
  });
});
