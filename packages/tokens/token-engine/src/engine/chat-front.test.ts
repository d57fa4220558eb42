import { type Gateway, type GatewayOptions, startGateway } from '@art/gateway';
import { afterEach, describe, expect, it } from 'vitest';
import { byteModel } from '../tokens/models.fixture.ts';
import { tokenEngine, type TokenEngineOptions } from './token-engine.ts';
import type { SampledAnswer, TokenSamplerRequest, TokenSampler } from '../token-sampler.ts';

const endOfTurn = 1;
const idsOf = (text: string): number[] => Array.from(Buffer.from(text), (byte) => byte + 2);
const textOf = (ids: readonly number[]): string =>
  Buffer.from(ids.filter((id) => id > 1).map((id) => id - 2)).toString();
const says = (text: string, stopReason: 'stop' | 'length' = 'stop'): SampledAnswer => {
  const tokens = stopReason === 'stop' ? [...idsOf(text), endOfTurn] : idsOf(text);
  return { tokens, logprobs: tokens.map((_, at) => -(at + 1) / 8), stopReason };
};
const user = { role: 'user', content: 'How many?' };
const tools = [{ type: 'function', function: { name: 'count', parameters: { type: 'object' } } }];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Bed {
  gateway: Gateway;
  requests: TokenSamplerRequest[];
  /** Answers that are sampled next. */
  answers: SampledAnswer[];
  call(path: string, body?: object): Promise<{ status: number; text: string; json: Record<string, unknown> }>;
  chat(body: object): ReturnType<Bed['call']>;
  captures(): Promise<Record<string, unknown>[]>;
}

async function setUp(
  { maxContext, minSampleTokens, ...sampler }: Partial<TokenSampler> = {},
  options: Partial<TokenEngineOptions> = {},
  gateway: GatewayOptions = {},
): Promise<Bed> {
  const bed = { requests: [] as TokenSamplerRequest[], answers: [says('Twelve.')] } as unknown as Bed;
  const sample: TokenSampler['sample'] = (request) => {
    bed.requests.push(request);
    return Promise.resolve(bed.answers);
  };
  bed.gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    cumulativeTokenMode: true,
    ...gateway,
    engine: tokenEngine({
      sampler: { sample, maxContext, minSampleTokens, ...sampler },
      checkpoint: byteModel,
      renderThreads: 1,
      ...options,
    }),
  });
  closers.push(() => bed.gateway.close());
  bed.call = async (path, body) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(`${bed.gateway.url}${path}`, init);
    const text = await reply.text();
    const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: reply.status, text, json };
  };
  bed.chat = (body) => bed.call('/sessions/s/v1/chat/completions', { model: 'm', messages: [user], ...body });
  bed.captures = async () =>
    JSON.parse((await bed.call('/sessions/s/traces')).text) as Record<string, unknown>[];
  return bed;
}

describe('a service that samples token ids, behind the gateway', () => {
  it('answers chat calls, and every token is captured', async () => {
    const bed = await setUp();
    const { status, json } = await bed.chat({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      seed: 7,
      max_tokens: 9,
    });
    expect([status, json['choices']]).toMatchObject([
      200,
      [{ message: { role: 'assistant', content: 'Twelve.' }, finish_reason: 'stop' }],
    ]);
    const [request] = bed.requests;
    expect(textOf(request!.prompt)).toBe('user\nHow many?\nassistant\n');
    expect(request).toMatchObject({
      samples: 1,
      maxTokens: 9,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      seed: 7,
    });
    const { tokens, logprobs } = bed.answers[0]!;
    expect(await bed.captures()).toMatchObject([
      { capture: 'complete', prompt_token_ids: request!.prompt, completion_token_ids: tokens, logprobs },
    ]);
  });

  it.each([
    [
      'qwen',
      'qwen3',
      '<think>\nhm\n</think>\n\nLet me see.\n<tool_call>\n{"name": "count", "arguments": {"of": 1.0}}\n</tool_call>',
    ],
    [
      'gemma4',
      'gemma4',
      '<|channel>thought\nhm\n<channel|>Let me see.<|tool_call>call:count{of:1.0}<tool_call|>',
    ],
  ])('takes the answers of %s apart, streamed or not', async (toolCallParser, reasoningParser, text) => {
    const bed = await setUp({}, { toolCallParser, reasoningParser });
    bed.answers = [says(text)];
    const { json } = await bed.chat({ tools });
    const calls = [{ type: 'function', function: { name: 'count', arguments: '{"of":1.0}' } }];
    const message = { content: 'Let me see.', reasoning_content: 'hm', tool_calls: calls };
    expect(json['choices']).toMatchObject([{ message, finish_reason: 'tool_calls' }]);
    await bed.chat({ tools, stream: true, messages: [user, user] });
    const [, streamed] = await bed.captures();
    expect(streamed).toMatchObject({
      capture: 'complete',
      response_message: message,
      finish_reason: 'tool_calls',
    });
  });

  it.each([false, true])(
    'what a service says of its weights is in the capture (streamed: %s)',
    async (stream) => {
      const bed = await setUp();
      bed.answers = [{ ...says('Yes.'), weightVersion: '7' }];
      await bed.chat({ stream });
      expect(await bed.captures()).toMatchObject([
        { weight_version: 7, weight_versions: [{ version: '7', start: 0, end: 5 }] },
      ]);
    },
  );

  it('turns continue their tokens, which no rendering would give', async () => {
    const bed = await setUp({}, { toolCallParser: 'qwen', reasoningParser: 'qwen3' });
    const sampled = says('<think>\nhm\n</think>\n\nTwelve.');
    bed.answers = [sampled];
    const { json } = await bed.chat({});
    const [{ message }] = json['choices'] as [{ message: { content: string } }];
    await bed.chat({ messages: [user, { role: 'assistant', content: message.content }, user] });
    const [first, second] = bed.requests.map(({ prompt }) => prompt);
    const start = [...first!, ...sampled.tokens];
    expect(second!.slice(0, start.length)).toEqual(start);
    expect(textOf(second!.slice(start.length))).toBe('\nuser\nHow many?\nassistant\n');
  });

  it('gives several answers to one prompt', async () => {
    const bed = await setUp();
    bed.answers = [says('One.'), says('Two', 'length')];
    await bed.chat({ n: 2, stream: true });
    expect(bed.requests[0]).toMatchObject({ samples: 2 });
    expect(await bed.captures()).toMatchObject([
      { capture: 'complete', finish_reason: 'stop' },
      { capture: 'complete', finish_reason: 'length' },
    ]);
  });

  it('ends an answer at a text of the call’s own', async () => {
    const bed = await setUp();
    const ids = idsOf('Twelve.\nEND');
    bed.answers = [{ tokens: ids, logprobs: ids.map(() => -1), stopReason: 'stop' }];
    const { json } = await bed.chat({ stop: ['END'] });
    expect(json['choices']).toMatchObject([{ message: { content: 'Twelve.\n' }, finish_reason: 'stop' }]);
    expect(bed.requests[0]!.stop).toEqual(['END']);
    expect(await bed.captures()).toMatchObject([{ completion_token_ids: ids }]);
  });

  it('marks a call of a tool that is malformed', async () => {
    const bed = await setUp({}, { toolCallParser: 'qwen' });
    bed.answers = [says('<tool_call>{"name": </tool_call>')];
    await bed.chat({ tools });
    expect(await bed.captures()).toMatchObject([{ metadata: { ill_formed: true } }]);
  });

  it('counts tokens by the tokenizer', async () => {
    const bed = await setUp();
    const { json } = await bed.call('/v1/messages/count_tokens', { model: 'm', messages: [user] });
    await bed.chat({});
    expect(json).toEqual({ input_tokens: bed.requests[0]!.prompt.length });
  });
});

describe('a call that cannot be sampled', () => {
  it.each([
    [{ tool_choice: 'required', tools }, 'tool_choice'],
    [{ stop_token_ids: [7] }, 'stop_token_ids'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ presence_penalty: 1 }, 'presence_penalty'],
    [{ max_tokens: 8 }, 'max_tokens'],
    [{ n: 1_000 }, 'n'],
    [{ temperature: 'hot' }, 'temperature'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] },
      'messages[0].content[0]',
    ],
  ])('is refused with what is wrong: %j', async (body, param) => {
    const bed = await setUp({ minSampleTokens: 16 });
    expect(await bed.chat(body)).toMatchObject({ status: 400, json: { error: { param } } });
    expect([bed.requests, await bed.captures()]).toEqual([[], []]);
  });

  it('takes what says nothing', async () => {
    const bed = await setUp();
    const nothing = {
      tool_choice: 'auto',
      stop_token_ids: [],
      presence_penalty: 0,
      response_format: { type: 'text' },
    };
    expect((await bed.chat(nothing)).status).toBe(200);
  });

  it('is told of no room in the words of each API, streamed or not: no capture, no turn', async () => {
    const bed = await setUp({ maxContext: 3 });
    const content = { model: 'm', messages: [user], max_tokens: 5 };
    for (const stream of [false, true]) {
      const { status, json } = await bed.call('/sessions/s/v1/messages', { ...content, stream });
      const message = expect.stringMatching(/^prompt is too long: \d+ tokens > 3 maximum$/) as string;
      expect([status, json]).toEqual([
        400,
        { type: 'error', error: { type: 'invalid_request_error', message } },
      ]);
      const responses = await bed.call('/sessions/s/v1/responses', { model: 'm', input: 'hi', stream });
      const code = 'context_length_exceeded';
      expect([responses.status, responses.json]).toMatchObject([400, { error: { code, param: 'input' } }]);
    }
    expect(bed.requests).toEqual([]);
    expect(await bed.captures()).toEqual([]);
    const { json } = await bed.call('/trajectories/s/finish', {});
    expect(json['summary']).toMatchObject({ turns: 0, context_full: 4 });
  });

  it('ends for its length where there is no room and that is asked for', async () => {
    const bed = await setUp({ maxContext: 3 }, {}, { whenFull: 'length' });
    const { json } = await bed.chat({});
    expect(json['choices']).toMatchObject([{ finish_reason: 'length' }]);
    expect(bed.requests).toEqual([]);
  });

  it('is told where the prompt leaves no room, and a shorter one is sampled within it', async () => {
    const bed = await setUp({ maxContext: 60, minSampleTokens: 16 });
    const long = [{ role: 'user', content: 'x'.repeat(60) }];
    expect(await bed.chat({ messages: long })).toMatchObject({
      status: 400,
      json: { error: { code: 'context_length_exceeded', type: 'invalid_request_error' } },
    });
    expect((await bed.chat({})).status).toBe(200);
    const [{ prompt, maxTokens }] = bed.requests as [TokenSamplerRequest];
    expect(prompt.length + maxTokens).toBe(60);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('quota'))],
    ['gives too few answers', () => Promise.resolve([])],
  ])('says so where the service %s', async (_name, sample) => {
    const bed = await setUp({ sample });
    expect(await bed.chat({})).toMatchObject({ status: 502, json: { error: { code: 'sampling_failed' } } });
    expect(await bed.captures()).toEqual([]);
  });
});

describe('options that cannot be used', () => {
  it('are refused', async () => {
    const sampler: TokenSampler = { sample: () => Promise.resolve([]) };
    expect(() => tokenEngine({ sampler, checkpoint: byteModel, toolCallParser: 'x' })).toThrow(
      'toolCallParser',
    );
    expect(() => tokenEngine({ sampler: {} as TokenSampler, checkpoint: byteModel })).toThrow('sampler');
    const engine = tokenEngine({ sampler, checkpoint: '/nowhere' });
    await expect(startGateway({ port: 0, logLevel: 'silent', engine })).rejects.toMatchObject({
      code: 'ART_TOKENIZER_UNREADABLE',
    });
  });
});
