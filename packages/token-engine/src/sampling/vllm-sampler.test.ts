import { expect, it } from 'vitest';
import { type EngineTransport, HttpTransport } from '@art/gateway/engine-port';

import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { chat } from '../engine/generate-harness.fixture.ts';
import { type MockEngine, startMockVllm, startMockVllmCompletions } from '../engine/mock-engines.fixture.ts';
import { tokenEngine } from '../engine/token-engine.ts';
import { byteModel } from '../tokens/models.fixture.ts';

const someIds = [74, 107, 35, 1];
const messages = [{ role: 'user', content: 'How many?' }];

async function setUp(mock: Promise<MockEngine>): Promise<{ engine: MockEngine; transport: EngineTransport }> {
  const engine = await mock;
  closeAfterwards(() => engine.close());
  engine.answer = () => ({ ids: someIds });
  const http = new HttpTransport({ maxConnections: 4 });
  closeAfterwards(() => http.close());
  const transport = await tokenEngine({
    engine: 'vllm',
    checkpoint: byteModel,
    renderThreads: 1,
    cumulative: true,
  })(http);
  closeAfterwards(() => transport.close());
  return { engine, transport };
}

const options = (engine: MockEngine) => ({ baseUrl: engine.url, flavour: 'vllm' as const });

it.each([
  [false, false, false],
  [true, false, false],
  [false, true, false],
  [true, true, false],
  [false, false, true],
  [true, false, true],
])(
  'stands in for the token route, stream %s, ids only by name %s, route switched off %s',
  async (stream, namesOnly, isScaleOutOff) => {
    const { engine, transport } = await setUp(startMockVllmCompletions({ namesOnly, isScaleOutOff }));
    const first = await chat(transport, { messages, stream, temperature: 0.5, seed: 7 }, options(engine));
    const choice = first.captured?.choices[0];
    expect(choice?.problems).toEqual([]);
    expect(Array.from(choice?.tokenIds ?? [])).toEqual(someIds);
    expect(Array.from(choice?.logprobs ?? [])).toEqual([-1, -2, -3, -4].map((eighth) => eighth / 8));
    const asked = engine.calls.at(-1)!;
    const prompt = asked.body['prompt'] as number[];
    expect(Array.from(first.captured?.promptTokenIds ?? [])).toEqual(prompt);
    expect(asked.path).toBe('/v1/completions');
    expect(asked.body).toMatchObject({
      model: 'm',
      add_special_tokens: false,
      return_token_ids: true,
      stream,
      temperature: 0.5,
      seed: 7,
      max_tokens: 4_096,
      logprobs: 1,
    });
    for (const name of ['messages', 'tools', 'chat_template_kwargs'])
      expect(asked.body).not.toHaveProperty(name);
    expect(asked.body['stream_options']).toEqual(stream ? { include_usage: true } : undefined);

    // The next turn continues the sampled tokens, and does not ask for the missing route again.
    const content =
      choice?.message === undefined ? '' : (JSON.parse(choice.message) as { content: string }).content;
    const longer = [...messages, { role: 'assistant', content }, { role: 'user', content: 'Sure?' }];
    await chat(transport, { messages: longer, stream, logprobs: true, top_logprobs: 2 }, options(engine));
    const next = engine.calls.at(-1)!.body['prompt'] as number[];
    expect(next.slice(0, prompt.length + someIds.length)).toEqual([...prompt, ...someIds]);
    expect(next.length).toBeGreaterThan(prompt.length + someIds.length);
    expect(engine.calls.map(({ path }) => path)).toEqual([
      '/inference/v1/generate',
      '/v1/completions',
      '/v1/completions',
    ]);
    expect(engine.calls.at(-1)!.body['logprobs']).toBe(2);
  },
);

it.each([false, true])("takes logprobs in the chat route's shape as well, stream %s", async (stream) => {
  const { engine, transport } = await setUp(startMockVllmCompletions({ chatLogprobs: true }));
  const { captured } = await chat(transport, { messages, stream }, options(engine));
  expect(captured?.choices[0]?.problems).toEqual([]);
  expect(Array.from(captured?.choices[0]?.logprobs ?? [])).toEqual(
    [-1, -2, -3, -4].map((eighth) => eighth / 8),
  );
});

it('names the alternatives to a token, the likeliest first', async () => {
  const { engine, transport } = await setUp(startMockVllmCompletions());
  engine.answer = () => ({ ids: [74], more: { stop_reason: 1, weight_version: 'w3' } });
  const asked = { messages, logprobs: true, top_logprobs: 2 };
  const { text } = await chat(transport, asked, options(engine));
  const { choices } = JSON.parse(text) as {
    choices: { logprobs: { content: { top_logprobs: { logprob: number }[] }[] } }[];
  };
  expect(choices[0]?.logprobs.content[0]?.top_logprobs.map((top) => top.logprob)).toEqual([-1 / 8, -9]);
});

it('does not stand in where an ordinary 403 refuses the call', async () => {
  const { engine, transport } = await setUp(startMockVllm());
  const error = { message: 'This key may not use the model.', type: 'PermissionDeniedError', code: 403 };
  engine.answer = () => ({ ids: [], refuse: { status: 403, body: { error } } });
  const refused = await chat(transport, { messages }, options(engine));
  expect([refused.status, JSON.parse(refused.text)]).toEqual([403, { error }]);
  expect(engine.calls).toHaveLength(1);
});

it('does not stand in where the engine has the route and refuses', async () => {
  const { engine, transport } = await setUp(startMockVllm());
  const error = { message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 };
  engine.answer = () => ({ ids: [], refuse: { status: 404, body: { error } } });
  const refused = await chat(transport, { messages }, options(engine));
  expect([refused.status, JSON.parse(refused.text)]).toEqual([404, { error }]);
  expect(engine.calls).toHaveLength(1);
});
