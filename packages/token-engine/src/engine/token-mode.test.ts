import { describe, expect, it } from 'vitest';
import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { startMockSglang, startMockVllm } from './mock-engines.fixture.ts';
import { byteModel } from '../tokens/models.fixture.ts';
import { startGateway, type GatewayOptions } from '@art/gateway';
import { tokenEngine, type TokenEngineOptions } from './token-engine.ts';

const chatCall = { model: 'mock-model', messages: [{ role: 'user', content: 'hi' }] };

/** A gateway with a token engine, closed after the test. */
async function testBench(options: GatewayOptions) {
  const gateway = await startGateway({ port: 0, logLevel: 'silent', shutdownGraceMs: 0, ...options });
  closeAfterwards(() => gateway.close());
  const call = (path: string, init: { method?: string; body?: object } = {}): Promise<Response> =>
    fetch(gateway.url + path, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  return {
    call,
    json: async (path: string, init?: { method?: string; body?: object }) => (await call(path, init)).json(),
  };
}

describe('a gateway with a token engine', () => {
  it.each([
    ['sglang', startMockSglang],
    ['vllm', startMockVllm],
  ] as const)('renders, samples and captures token ids with %s', async (engine, start) => {
    const mock = await start();
    mock.answer = () => ({ ids: [74, 107, 1] });
    closeAfterwards(() => mock.close());
    const { json, call } = await testBench({
      workers: [{ url: mock.url }],
      transport: tokenEngine({
        engine,
        checkpoint: byteModel,
        toolCallParser: 'qwen',
        cumulative: true,
      }),
    });
    const reply = await json('/sessions/one/v1/chat/completions', { body: chatCall });
    expect(reply).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] });
    expect(JSON.stringify(reply)).not.toContain('token_ids');
    const stream = await call('/sessions/one/v1/chat/completions', { body: { ...chatCall, stream: true } });
    expect(await stream.text()).toContain('data: [DONE]');
    const traces = (await json('/sessions/one/traces')) as Record<string, unknown>[];
    for (const trace of traces) {
      expect(trace).toMatchObject({ capture: 'complete', capture_problems: [], engine });
      expect(trace).toMatchObject({ completion_token_ids: [74, 107, 1] });
      expect(trace['prompt_token_ids']).not.toHaveLength(0);
    }
    expect(traces).toHaveLength(2);
    expect(await json('/sessions/one', { method: 'DELETE' })).toEqual({ deleted: 2 });
  });

  it('counts tokens as it will render them, and tells of calls that the model spoilt', async () => {
    const mock = await startMockSglang();
    closeAfterwards(() => mock.close());
    const { json, call } = await testBench({
      workers: [{ url: mock.url }],
      transport: tokenEngine({
        engine: 'sglang',
        checkpoint: byteModel,
        toolCallParser: 'qwen',
      }),
    });
    const messages = [{ role: 'user', content: 'What is 2 + 2?' }];
    const tool = { name: 'add', description: 'Adds.', input_schema: { type: 'object', properties: {} } };
    const counted = await call('/sessions/one/v1/messages/count_tokens', {
      body: { model: 'm', messages, tools: [tool] },
    });
    expect(counted.headers.get('x-art-token-count')).toBe('exact');
    expect(mock.calls.filter(({ path }) => path === '/tokenize')).toEqual([]);
    const { input_tokens: count } = (await counted.json()) as { input_tokens: number };

    // "<tool_call>" and no call behind it.
    mock.answer = () => ({ ids: [...Buffer.from('<tool_call>Hi').map((byte) => byte + 2), 1] });
    for (const stream of [false, true]) {
      const body = { model: 'm', max_tokens: 50, messages, tools: [tool], stream };
      await (await call('/sessions/one/v1/messages', { body })).text();
    }
    mock.answer = () => ({ ids: [74, 1] });
    await json('/sessions/one/v1/chat/completions', { body: chatCall });
    const traces = (await json('/sessions/one/traces')) as { prompt_token_ids: number[]; metadata: object }[];
    expect(traces.map((trace) => trace.metadata)).toEqual([{ ill_formed: true }, { ill_formed: true }, {}]);
    expect(traces[0]!.prompt_token_ids).toHaveLength(count);

    const refused = await call('/v1/messages/count_tokens', { body: { model: 'm', messages: [] } });
    expect(refused.status).toBe(400);
  });

  it('ends answers where the context of a trajectory does', async () => {
    const mock = await startMockSglang();
    closeAfterwards(() => mock.close());
    mock.answer = () => ({ ids: [74, 1] });
    const { json } = await testBench({
      workers: [{ url: mock.url }],
      transport: tokenEngine({ engine: 'sglang', checkpoint: byteModel }),
    });
    const ask = (sessionId: string): Promise<unknown> =>
      json(`/sessions/${sessionId}/v1/chat/completions`, { body: chatCall });
    await ask('free');
    const [trace] = (await json('/sessions/free/traces')) as { prompt_token_ids: number[] }[];
    const promptLength = trace!.prompt_token_ids.length;
    const create = (sessionId: string, bound: number): Promise<unknown> =>
      json('/trajectories', { body: { session_id: sessionId, max_context_tokens: bound } });
    await create('short', promptLength + 3);
    await ask('short');
    const generated = mock.calls.filter(({ path }) => path === '/generate');
    expect(generated.at(-1)!.body).toMatchObject({ sampling_params: { max_new_tokens: 3 } });
    await create('full', promptLength);
    expect(await ask('full')).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    expect(mock.calls.filter(({ path }) => path === '/generate')).toHaveLength(generated.length);
  });

  it('refuses at the start what it cannot do', async () => {
    const start = async (options: Partial<TokenEngineOptions>): Promise<unknown> =>
      startGateway({ port: 0, logLevel: 'silent', transport: tokenEngine({ engine: 'sglang', ...options }) });
    await expect(start({ toolCallParser: 'no-such-parser' })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
    await expect(start({ engine: 'x' as never })).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
    await expect(start({ checkpont: 'm' } as never)).rejects.toThrow(/Did you mean checkpoint/);
    await expect(start({ checkpoint: '/no/such/folder' })).rejects.toMatchObject({
      code: 'ART_TOKENIZER_UNREADABLE',
    });
  });
});
