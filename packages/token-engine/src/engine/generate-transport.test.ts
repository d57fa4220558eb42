import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { HttpTransport } from '@art/gateway/engine-port';
import { encoderOf, modelFolders } from '../tokens/models.fixture.ts';
import type { PromptEncoder } from '../tokens/prompt-encoder.ts';
import { chat, deltasOf, sendChat, type Exchanged } from './generate-harness.fixture.ts';
import { GenerateTransport } from './generate-transport.ts';
import { LocalTurnReader } from '../answers/local-turn-reader.ts';
import { startMockSglang, startMockVllm, type MockEngine } from './mock-engines.fixture.ts';
import { TurnParser } from '../parsers/turn-parser.ts';
import { SessionLineages } from '../prompts/session-lineages.ts';
import { sglangSampler } from '../sampling/sglang-sampler.ts';
import { LocalTokenization } from '../prompts/local-tokenization.ts';
import { vllmSampler } from '../sampling/vllm-sampler.ts';

const endOfTurn = 151645;
const someIds = [9906, 11, 1879];
const user = { role: 'user', content: 'How many?' };
const tools = [
  { type: 'function', function: { name: 'count', parameters: { type: 'object', properties: {} } } },
];

let renderer: PromptEncoder;
let tokenization: LocalTokenization;
const http = new HttpTransport({ maxConnections: 16 });
beforeAll(async () => {
  renderer = await encoderOf('qwen3');
  tokenization = await LocalTokenization.open(modelFolders.qwen3, 1);
}, 60_000);
afterAll(async () => {
  await tokenization.close();
  await http.close();
});

const engines: MockEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

interface SetUp {
  cumulative?: boolean;
  toolCallParser?: string;
  reasoningParser?: string;
  maxContextTokens?: number;
  readTimeoutMs?: number;
}

function transportOf(engine: 'sglang' | 'vllm', options: SetUp = {}): GenerateTransport {
  const { toolCallParser, reasoningParser, maxContextTokens = 0, readTimeoutMs = 60_000 } = options;
  return new GenerateTransport({
    flavour: engine,
    sampler: engine === 'sglang' ? sglangSampler : vllmSampler(),
    tokenization,
    reader: new LocalTurnReader(tokenization, new TurnParser({ toolCallParser, reasoningParser })),
    canForceTools: false,
    lineages: options.cumulative === true ? new SessionLineages() : undefined,
    http,
    toolCallParser,
    maxContextTokens,
    defaultMaxTokens: 4_096,
    readTimeoutMs,
  });
}

async function encode(text: string): Promise<number[]> {
  return Array.from(renderer.encoder.encode(text));
}

function expectTokens(exchanged: Exchanged, prompt: readonly number[], ids: readonly number[]): void {
  const choice = exchanged.captured?.choices[0];
  expect(choice?.problems).toEqual([]);
  expect(Array.from(exchanged.captured?.promptTokenIds ?? [])).toEqual(prompt);
  expect(Array.from(choice?.tokenIds ?? [])).toEqual(ids);
  expect(Array.from(choice?.logprobs ?? [])).toEqual(ids.map((_, index) => -(index + 1) / 8));
}

const kinds = [
  { name: 'SGLang, cumulative stream', engine: 'sglang' as const, start: () => startMockSglang() },
  {
    name: 'SGLang, incremental stream',
    engine: 'sglang' as const,
    start: () => startMockSglang({ incremental: true }),
  },
  { name: 'vLLM, ids as numbers', engine: 'vllm' as const, start: () => startMockVllm() },
  { name: 'vLLM, ids as text', engine: 'vllm' as const, start: () => startMockVllm({ idsAsText: true }) },
];

describe.each(kinds)('$name', ({ engine: kind, start }) => {
  let engine: MockEngine;
  beforeEach(async () => {
    engine = await start();
    engines.push(engine);
  });
  const promptOf = (index: number): number[] => {
    const calls = engine.calls.filter((call) => call.path.includes('generate'));
    return (calls[index]?.body[kind === 'sglang' ? 'input_ids' : 'token_ids'] ?? []) as number[];
  };

  it.each([false, true])('every token comes through, stream %s', async (stream) => {
    const ids = [...(await encode('Café 😀, twelve.')), endOfTurn];
    engine.answer = () => ({ ids });
    const transport = transportOf(kind);
    const exchanged = await chat(
      transport,
      { messages: [user], stream },
      { baseUrl: engine.url, flavour: kind },
    );
    const rendered = renderer.render({ messages: [JSON.stringify(user)] });
    expect(promptOf(0)).toEqual(Array.from(rendered));
    expectTokens(exchanged, promptOf(0), ids);
    expect(JSON.parse(exchanged.captured!.choices[0]!.message)).toMatchObject({
      content: 'Café 😀, twelve.',
    });
    expect(exchanged.captured).toMatchObject({ ended: true, usage: { completion: ids.length } });
    if (!stream) return;
    const contents = deltasOf(exchanged.text).map((delta) => JSON.stringify(delta['content'] ?? ''));
    expect(contents.length).toBeGreaterThan(ids.length / 2);
    expect(contents.some((text) => text.includes('\uFFFD'))).toBe(false);
  });

  it.each([false, true])(
    'turns are continued from their tokens, with calls parsed on each, stream %s',
    async (stream) => {
      const transport = transportOf(kind, {
        cumulative: true,
        toolCallParser: 'qwen',
        reasoningParser: 'qwen3',
      });
      const call = '<tool_call>\n{"name": "count", "arguments": {"of": 1.0}}\n</tool_call>';
      // Letter by letter: a full render would never give these tokens back.
      const letters = (await Promise.all('Let me see.'.split('').map(encode))).flat();
      const turns = [
        [
          ...(await encode('<think>\nhm\n</think>\n\n')),
          ...letters,
          ...(await encode(`\n${call}`)),
          endOfTurn,
        ],
        [...(await encode(`<think>\nagain\n</think>\n\n${call}\n${call}`)), endOfTurn],
        [...(await encode('Twelve.')), endOfTurn],
      ];
      engine.answer = () => ({ ids: turns[engine.calls.length - 1] ?? [] });
      const messages: unknown[] = [user];
      for (const [turn, ids] of turns.entries()) {
        const exchanged = await chat(
          transport,
          { messages, tools, stream },
          { baseUrl: engine.url, flavour: kind },
        );
        expectTokens(exchanged, promptOf(turn), ids);
        const message = JSON.parse(exchanged.captured!.choices[0]!.message) as {
          content: string | null;
          tool_calls?: { id: string; function: { name: string; arguments: string } }[];
        };
        expect(exchanged.captured!.choices[0]!.finishReason).toBe(turn < 2 ? 'tool_calls' : 'stop');
        expect(message.tool_calls?.length ?? 0).toBe(turn < 2 ? turn + 1 : 0);
        for (const one of message.tool_calls ?? []) {
          expect(one.function).toEqual({ name: 'count', arguments: '{"of":1.0}' });
        }
        if (turn === 0) expect(message).toMatchObject({ content: 'Let me see.', reasoning_content: 'hm' });
        // As an SDK sends it back: no reasoning, other keys first.
        messages.push({ content: message.content, tool_calls: message.tool_calls, role: 'assistant' });
        for (const one of message.tool_calls ?? [])
          messages.push({ role: 'tool', tool_call_id: one.id, content: '12' });
      }
      for (const turn of [1, 2]) {
        const before = [...promptOf(turn - 1), ...turns[turn - 1]!];
        expect(promptOf(turn).slice(0, before.length)).toEqual(before);
        const bridge = await tokenization.decode(Int32Array.from(promptOf(turn).slice(before.length)));
        const response = '<tool_response>\n12\n</tool_response>';
        const responses = turn === 1 ? response : `${response}\n${response}`;
        expect(bridge).toBe(`\n<|im_start|>user\n${responses}<|im_end|>\n<|im_start|>assistant\n`);
      }
    },
  );

  it('an engine that refuses is passed on', async () => {
    const body = { object: 'error', message: 'too long', type: 'BadRequestError', param: null, code: 400 };
    engine.answer = () => ({ ids: [], refuse: { status: 400, body } });
    const exchanged = await chat(
      transportOf(kind),
      { messages: [user] },
      { baseUrl: engine.url, flavour: kind },
    );
    expect(exchanged.status).toBe(400);
    expect(JSON.parse(exchanged.text)).toEqual(body);
  });

  it('an engine that is silent for too long is told so', async () => {
    engine.answer = () => ({ ids: [1, 2], hang: true });
    const transport = transportOf(kind, { readTimeoutMs: 100 });
    const exchanged = await chat(transport, { messages: [user] }, { baseUrl: engine.url, flavour: kind });
    expect(exchanged.status).toBe(504);
    expect(JSON.parse(exchanged.text)).toMatchObject({
      error: { type: 'timeout_error', code: 'engine_timeout' },
    });
    await vi.waitFor(() => expect(engine.dropped).toBe(1));
  });

  it('a stream that falls silent ends with an error', async () => {
    engine.answer = () => ({ ids: someIds, hang: true });
    const transport = transportOf(kind, { readTimeoutMs: 400 });
    const exchanged = await chat(
      transport,
      { messages: [user], stream: true },
      { baseUrl: engine.url, flavour: kind },
    );
    expect(exchanged.text).toContain('engine_timeout');
    expect(exchanged.text).not.toContain('[DONE]');
    expect(exchanged.captured).toMatchObject({ ended: false });
  });

  it('a client that leaves takes the call with it', async () => {
    engine.answer = () => ({ ids: [1, 2], hang: true });
    const controller = new AbortController();
    const sent = sendChat(transportOf(kind), Buffer.from(JSON.stringify({ messages: [user] })), {
      baseUrl: engine.url,
      signal: controller.signal,
    });
    await vi.waitFor(() => expect(engine.calls).toHaveLength(1));
    controller.abort(new Error('gone'));
    await expect(sent).rejects.toMatchObject({ code: 'ART_ENGINE_UNREACHABLE', failure: 'aborted' });
    await vi.waitFor(() => expect(engine.dropped).toBe(1));
    if (kind !== 'sglang') return;
    await vi.waitFor(() => expect(engine.calls[1]).toMatchObject({ path: '/abort_request' }));
    expect(engine.calls[1]!.body).toEqual({ rid: engine.calls[0]!.body['rid'] });
  });
});

describe('the call at the engine', () => {
  it('SGLang gets its own names, spelled as they came', async () => {
    const engine = await startMockSglang();
    engines.push(engine);
    engine.answer = () => ({ ids: [endOfTurn] });
    const body = {
      messages: [user],
      temperature: 1,
      top_p: 0.95,
      seed: 7,
      stop: ['\n\n'],
      user: 'x',
      response_format: { type: 'json_object' },
    };
    const samplingParams = { max_new_tokens: 512, top_k: 20 };
    await chat(transportOf('sglang'), body, { baseUrl: engine.url, sessionId: 'abc', samplingParams });
    const { body: sent, headers } = engine.calls[0]!;
    expect(sent['sampling_params']).toEqual({
      temperature: 1,
      top_p: 0.95,
      top_k: 20,
      stop: ['\n\n'],
      max_new_tokens: 512,
      sampling_seed: 7,
      skip_special_tokens: false,
      spaces_between_special_tokens: false,
      no_stop_trim: true,
      json_schema: '{"type": "object"}',
    });
    expect(sent).toMatchObject({
      return_logprob: true,
      stream: false,
      rid: expect.stringMatching(/^chatcmpl-/) as string,
    });
    expect(headers).toMatchObject({ 'x-smg-routing-key': 'abc', authorization: 'Bearer k' });
    expect(headers['accept-encoding']).toBeUndefined();
  });

  it('vLLM is always told how much to sample', async () => {
    const engine = await startMockVllm();
    engines.push(engine);
    engine.answer = () => ({ ids: [endOfTurn] });
    const transport = transportOf('vllm', { maxContextTokens: 100 });
    await chat(transport, { messages: [user] }, { baseUrl: engine.url, flavour: 'vllm', sessionId: 'abc' });
    const { body: sent, headers } = engine.calls[0]!;
    const prompt = (sent['token_ids'] as number[]).length;
    expect(sent['sampling_params']).toMatchObject({ max_tokens: 100 - prompt, logprobs: 1 });
    expect(headers['x-session-id']).toBe('abc');
  });

  it('weight versions and routed experts are carried along', async () => {
    const engine = await startMockSglang();
    engines.push(engine);
    const spans = [{ version: '7', start: 0, end: 1 }];
    engine.answer = () => ({
      ids: [endOfTurn],
      weightVersion: '7',
      more: { weight_versions: spans, routed_experts: 'AAAA' },
    });
    const { captured } = await chat(transportOf('sglang'), { messages: [user] }, { baseUrl: engine.url });
    expect(captured).toMatchObject({
      weightVersion: '7',
      choices: [{ weightVersions: spans, routedExperts: { data: 'AAAA', encoding: 'int32_base64' } }],
    });
  });

  it('other calls go to the engine as they are', async () => {
    const engine = await startMockSglang();
    engines.push(engine);
    engine.routes.set('/v1/models', () => ({ data: [] }));
    const reply = await transportOf('sglang').send({
      method: 'GET',
      baseUrl: engine.url,
      path: '/v1/models',
      headers: {},
      body: undefined,
      sessionId: undefined,
      signal: new AbortController().signal,
    });
    expect(reply.status).toBe(200);
    for await (const _chunk of reply.body);
  });
});

describe('what is answered without tokens', () => {
  let engine: MockEngine;
  beforeEach(async () => {
    engine = await startMockSglang();
    engines.push(engine);
  });
  const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] };

  it.each([
    [{ messages: [image] }, 'image_url'],
    [{ messages: [user], n: 0 }, 'n to be a whole number from 1'],
    [{ messages: [user], tool_choice: 'required' }, 'tool_choice'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ content: 'nobody' }] }, 'role'],
    [{ messages: [user], chat_template_kwargs: 7 }, 'chat_template_kwargs'],
  ])('400 for %j', async (body, words) => {
    const exchanged = await chat(transportOf('sglang'), body, { baseUrl: engine.url });
    expect(exchanged.status).toBe(400);
    const { error } = JSON.parse(exchanged.text) as { error: { message: string; type: string } };
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain(words);
    expect(engine.calls).toEqual([]);
  });

  it('a prompt that fills the context is an answer of no tokens', async () => {
    const transport = transportOf('sglang', { maxContextTokens: 5 });
    for (const stream of [false, true]) {
      const { captured, status } = await chat(
        transport,
        { messages: [user], stream },
        { baseUrl: engine.url },
      );
      expect(status).toBe(200);
      expect(captured?.choices[0]).toMatchObject({ finishReason: 'length', problems: [] });
      expect(captured?.choices[0]?.tokenIds).toHaveLength(0);
    }
    expect(engine.calls).toEqual([]);
  });

  it.each([false, true])('an answer that the engine gave up is none, stream %s', async (stream) => {
    engine.answer = () => ({ ids: [5], finish: { type: 'abort', message: 'weights are updated' } });
    const exchanged = await chat(
      transportOf('sglang'),
      { messages: [user], stream },
      { baseUrl: engine.url },
    );
    expect(exchanged.status).toBe(502);
    expect(JSON.parse(exchanged.text)).toMatchObject({
      error: {
        message: expect.stringContaining('weights are updated') as string,
        code: 'generation_aborted',
      },
    });
  });
});

describe('the end of an answer', () => {
  it.each([false, true])(
    'the stop text is among the tokens and not in the content, stream %s',
    async (stream) => {
      const engine = await startMockSglang();
      engines.push(engine);
      const ids = await encode('one, two\n\nEND');
      engine.answer = () => ({ ids, finish: { type: 'stop', matched: '\n\nEND' } });
      const exchanged = await chat(
        transportOf('sglang'),
        { messages: [user], stop: '\n\nEND', stream },
        { baseUrl: engine.url },
      );
      expectTokens(exchanged, Array.from(exchanged.captured!.promptTokenIds), ids);
      expect(JSON.parse(exchanged.captured!.choices[0]!.message)).toMatchObject({ content: 'one, two' });
    },
  );
});

it('with parsers, too, an answer is shown while it is sampled', async () => {
  const engine = await startMockSglang();
  engines.push(engine);
  const call = '<tool_call>\n{"name": "count", "arguments": {}}\n</tool_call>';
  const ids = [...(await encode(`<think>\nfirst this\n</think>\n\nThen that.\n${call}`)), endOfTurn];
  engine.answer = () => ({ ids });
  const transport = transportOf('sglang', { toolCallParser: 'qwen', reasoningParser: 'qwen3' });
  const { text, captured } = await chat(
    transport,
    { messages: [user], tools, stream: true },
    { baseUrl: engine.url },
  );
  const deltas = deltasOf(text);
  expect(deltas.flatMap((delta) => delta['reasoning_content'] ?? [])).toEqual(['first', ' this']);
  expect(deltas.flatMap((delta) => (delta['content'] as string) || [])).toEqual(['Then', ' that', '.']);
  expect(deltas.filter((delta) => 'tool_calls' in delta)).toHaveLength(1);
  expect(Array.from(captured!.choices[0]!.tokenIds)).toEqual(ids);
  expect(captured!.choices[0]!.problems).toEqual([]);
});

describe('cumulative mode', () => {
  let engine: MockEngine;
  let transport: GenerateTransport;
  const answer = { role: 'assistant', content: 'Twelve.' };
  const more = { role: 'user', content: 'Sure?' };
  const prompt = (index: number): number[] => (engine.calls[index]?.body['input_ids'] ?? []) as number[];
  const ask = (messages: unknown[], rest: object = {}, sessionId = 's1'): Promise<Exchanged> =>
    chat(transport, { messages, ...rest }, { baseUrl: engine.url, sessionId });
  let sampled: number[];

  beforeEach(async () => {
    engine = await startMockSglang();
    engines.push(engine);
    transport = transportOf('sglang', { cumulative: true });
    const letters = (await Promise.all('Twelve.'.split('').map(encode))).flat();
    sampled = [...letters, endOfTurn];
    engine.answer = () => ({ ids: sampled });
  });

  it('the same request again has the same prompt, and either answer can be continued', async () => {
    await ask([user]);
    await ask([user]);
    expect(prompt(1)).toEqual(prompt(0));
    await ask([user, answer, more]);
    await ask([user, answer, more]);
    const start = [...prompt(0), ...sampled];
    expect(prompt(2).slice(0, start.length)).toEqual(start);
    expect(prompt(3)).toEqual(prompt(2));
  });

  it('an answer that the client changed is rendered anew', async () => {
    await ask([user]);
    await ask([user, { ...answer, content: 'Thirteen.' }, more]);
    const rendered = renderer.render({
      messages: [user, { ...answer, content: 'Thirteen.' }, more].map((message) => JSON.stringify(message)),
    });
    expect(prompt(1)).toEqual(Array.from(rendered));
  });

  it('other tools, another session or a forgotten one are rendered anew', async () => {
    await ask([user]);
    const anew = Array.from(
      renderer.render({ messages: [user, answer, more].map((message) => JSON.stringify(message)) }),
    );
    await ask([user, answer, more], {}, 's2');
    expect(prompt(1)).toEqual(anew);
    await ask([user, answer, more], { tools });
    expect(prompt(2)).not.toEqual(anew);
    expect(prompt(2)).toEqual(
      Array.from(
        renderer.render({
          messages: [user, answer, more].map((message) => JSON.stringify(message)),
          tools: JSON.stringify(tools),
        }),
      ),
    );
    transport.forgetSession('s1');
    await ask([user, answer, more]);
    expect(prompt(3)).toEqual(anew);
  });

  it('a turn that was cut off is closed before the next', async () => {
    const cut = sampled.slice(0, 3);
    engine.answer = () => ({ ids: cut, finish: { type: 'length' } });
    const { captured } = await ask([user]);
    const message = JSON.parse(captured!.choices[0]!.message) as object;
    await ask([user, message, more]);
    expect(prompt(1).slice(0, prompt(0).length + 4)).toEqual([...prompt(0), ...cut, endOfTurn]);
  });
});
