import { createRequire } from 'node:module';
import Anthropic from '@anthropic-ai/sdk';
import { mockDifferences } from '@art/tooling/mock-differences';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MockTurn } from './mock-turn.ts';
import { startMockModel, type StartMockModelOptions } from './start-mock-model.ts';

const question = 'How many are 6 * 7? 🙂';
const called: MockTurn = {
  reasoning: 'I should compute it.',
  text: 'Let me see.',
  toolCalls: [
    { name: 'calculator', arguments: { expression: '6 * 7' } },
    { name: 'clock', arguments: {} },
  ],
};
const turns = [called, 'It is {result}, ü.'];
const parameters = { type: 'object', properties: { expression: { type: 'string' } } };

async function open(options: StartMockModelOptions = { reply: [{ turns }] }) {
  const model = await startMockModel(options);
  onTestFinished(() => model.close());
  return {
    ...model,
    openai: new OpenAI({ baseURL: model.baseUrl, apiKey: 'k', maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: model.url, apiKey: 'k', maxRetries: 0 }),
  };
}

const chatTools = ['calculator', 'clock'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters },
}));

describe('chat completions', () => {
  it('are those of the real vLLM, member by member', async () => {
    const { url } = await open({
      reply: [{ turns: [{ text: 'Hi', toolCalls: called.toolCalls! }, 'It is.'] }],
    });
    const differences = await mockDifferences(
      url,
      ({ path, request }) => path === '/v1/chat/completions' && (request as { n?: number }).n === undefined,
    );
    // Its server names the character set, which JSON has no other of.
    expect(differences).toEqual([
      '/v1/chat/completions content-type: application/json; charset=utf-8, vLLM has application/json',
    ]);
  });

  const asked = { model: 'm', messages: [{ role: 'user' as const, content: question }], tools: chatTools };
  const tokens = { logprobs: true, return_token_ids: true };
  interface Tokens {
    prompt_token_ids?: number[] | null;
    choices: { token_ids?: number[] | null; logprobs?: { content: object[] | null } | null }[];
  }

  it('calls tools, takes their results and answers', async () => {
    const { openai } = await open();
    const first = (await openai.chat.completions.create(asked)).choices[0]!;
    expect(first.finish_reason).toBe('tool_calls');
    expect(first.message).toMatchObject({
      content: 'Let me see.',
      reasoning: 'I should compute it.',
      tool_calls: [
        { id: 'call_1', function: { name: 'calculator', arguments: '{"expression":"6 * 7"}' } },
        { id: 'call_2', function: { name: 'clock', arguments: '{}' } },
      ],
    });
    const second = await openai.chat.completions.create({
      ...asked,
      messages: [...asked.messages, first.message, { role: 'tool', tool_call_id: 'call_1', content: '42' }],
    });
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It is 42, ü.' } });
  });

  it('gives the same words, ids and logprobs in one piece and in parts', async () => {
    const { openai } = await open();
    const one = await openai.chat.completions.create({ ...asked, ...tokens });
    const parts = await openai.chat.completions.create({
      ...asked,
      ...tokens,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of parts) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' });
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Let me see.');
    expect(deltas.map((delta) => (delta as { reasoning?: string }).reasoning ?? '').join('')).toBe(
      called.reasoning,
    );
    const json = [0, 1].map((index) =>
      deltas
        .flatMap(({ tool_calls: calls }) => calls ?? [])
        .filter((call) => call.index === index)
        .map((call) => call.function?.arguments ?? '')
        .join(''),
    );
    expect(json).toEqual(['{"expression":"6 * 7"}', '{}']);

    const whole = one as unknown as Tokens;
    const streamed = chunks as unknown as Tokens[];
    const ids = whole.choices[0]!.token_ids!;
    expect(streamed[0]!.prompt_token_ids).toEqual(whole.prompt_token_ids);
    const choices = streamed.flatMap((chunk) => chunk.choices);
    expect(choices.flatMap((choice) => choice.token_ids ?? [])).toEqual(ids);
    expect(choices.flatMap((choice) => choice.logprobs?.content ?? [])).toEqual(
      whole.choices[0]!.logprobs!.content,
    );
    expect(whole.choices[0]!.logprobs!.content).toHaveLength(ids.length);
    expect(one.usage).toMatchObject({
      prompt_tokens: whole.prompt_token_ids!.length,
      completion_tokens: ids.length,
    });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: one.usage!.total_tokens },
    });
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('tool_calls');
  });

  it('continues in a prompt from the very tokens that it sampled', async () => {
    const { openai } = await open({
      reply: [{ turns: [{ ...called, reasoning: undefined }, 'Done.'] as MockTurn[] }],
    });
    const first = await openai.chat.completions.create({ ...asked, ...tokens });
    const { message } = first.choices[0]!;
    const messages = [
      ...asked.messages,
      message,
      { role: 'tool' as const, tool_call_id: 'call_1', content: '42' },
    ];
    const second = await openai.chat.completions.create({ ...asked, messages, ...tokens });
    const { prompt_token_ids: prompt, choices } = first as unknown as Tokens;
    const before = [...prompt!, ...choices[0]!.token_ids!];
    expect((second as unknown as Tokens).prompt_token_ids!.slice(0, before.length)).toEqual(before);
  });

  it('tells nothing of tokens to who does not ask', async () => {
    const { openai } = await open();
    expect(await openai.chat.completions.create(asked)).toMatchObject({
      prompt_token_ids: null,
      choices: [{ token_ids: null, logprobs: null }],
    });
    const text = await (await openai.chat.completions.create({ ...asked, stream: true }).asResponse()).text();
    expect(text).not.toMatch(/token_ids|"logprob"|usage/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

describe('responses', () => {
  const asked = {
    model: 'm',
    instructions: 'Be brief.',
    tools: [{ type: 'function' as const, name: 'calculator', parameters, strict: false }],
  };

  it('calls tools, takes their results and answers', async () => {
    const { openai } = await open();
    const first = await openai.responses.create({ ...asked, input: question });
    expect(first).toMatchObject({ status: 'completed', output_text: 'Let me see.' });
    expect(first.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    const second = await openai.responses.create({
      ...asked,
      input: [
        { role: 'user', content: question },
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        { type: 'function_call_output', call_id: 'call_1', output: '42' },
      ],
    });
    expect(second.output_text).toBe('It is 42, ü.');
    expect(second.usage!.input_tokens).toBeGreaterThan(first.usage!.input_tokens);
  });

  it('has the same in parts', async () => {
    const { openai } = await open();
    const stream = openai.responses.stream({ ...asked, input: [{ role: 'user', content: question }] });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => void (text += delta));
    const end = await stream.finalResponse();
    expect(text).toBe('Let me see.');
    expect(end.output.slice(1)).toMatchObject([
      { type: 'message', content: [{ text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'call_1', arguments: '{"expression":"6 * 7"}' },
      { type: 'function_call', call_id: 'call_2', arguments: '{}' },
    ]);
    const created = await openai.responses.create({ ...asked, input: question });
    expect(end.usage).toEqual(created.usage);
  });
});

describe('messages', () => {
  const asked = {
    model: 'm',
    max_tokens: 100,
    system: 'Be brief.',
    tools: ['calculator', 'clock'].map((name) => ({ name, input_schema: { type: 'object' as const } })),
  };
  const user = { role: 'user' as const, content: question };

  it('calls tools, takes their results and answers', async () => {
    const { anthropic } = await open();
    const first = await anthropic.messages.create({ ...asked, messages: [user] });
    expect(first).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: called.reasoning },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'call_1', name: 'calculator', input: { expression: '6 * 7' } },
        { type: 'tool_use', id: 'call_2', name: 'clock', input: {} },
      ],
    });
    const messages = [
      user,
      { role: 'assistant' as const, content: first.content },
      {
        role: 'user' as const,
        content: [{ type: 'tool_result' as const, tool_use_id: 'call_1', content: '42' }],
      },
    ];
    const second = await anthropic.messages.create({ ...asked, messages });
    expect(second).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'It is 42, ü.' }],
    });
    expect(await anthropic.messages.countTokens({ ...asked, messages })).toEqual({
      input_tokens: second.usage.input_tokens,
    });
  });

  it('takes what the system says after the user for no question', async () => {
    const { anthropic } = await open();
    const system = { role: 'system', content: 'The date is today.' } as unknown as typeof user;
    const reply = await anthropic.messages.create({ ...asked, messages: [user, system] });
    expect(reply.stop_reason).toBe('tool_use');
  });

  it('has the same in parts', async () => {
    const { anthropic } = await open();
    const whole = await anthropic.messages.create({ ...asked, messages: [user] });
    const end = await anthropic.messages.stream({ ...asked, messages: [user] }).finalMessage();
    const withoutSignature = JSON.parse(
      JSON.stringify(end.content).replace('"signature":""', '"signature":"mock"'),
    ) as object;
    expect(withoutSignature).toEqual(whole.content);
    expect(end).toMatchObject({ stop_reason: 'tool_use', usage: whole.usage });
  });
});

describe('what goes wrong on request', () => {
  const body = (stream = false) => ({
    model: 'm',
    messages: [{ role: 'user' as const, content: 'x' }],
    stream,
  });

  it('answers with an error so often, in the shape of the API', async () => {
    const error = { status: 429, message: 'Slow down.', headers: { 'retry-after': '7' } };
    const { openai, anthropic } = await open({ reply: [{ turns: [{ error, failures: 2, text: 'ok' }] }] });
    const refusal = await openai.chat.completions.create(body()).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(OpenAI.RateLimitError);
    expect((refusal as InstanceType<typeof OpenAI.RateLimitError>).headers.get('retry-after')).toBe('7');
    const other = anthropic.messages.create({ ...body(), max_tokens: 1, stream: false });
    await expect(other).rejects.toThrow('{"type":"rate_limit_error","message":"Slow down."}');
    expect(
      ((await openai.chat.completions.create(body())) as OpenAI.ChatCompletion).choices[0]!.message.content,
    ).toBe('ok');
  });

  it('breaks the connection, before the reply or in a stream', async () => {
    const { baseUrl } = await open({ reply: [{ turns: [{ text: 'one two three', breakAfter: 3 }] }] });
    const send = (stream: boolean) =>
      fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(stream)),
      });
    await expect(send(false)).rejects.toThrow('fetch failed');
    const reader = (await send(true)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const read = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        seen += value;
      }
    };
    await expect(read()).rejects.toThrow('terminated');
    expect(seen).toContain(' two');
    expect(seen).not.toContain(' three');
  });

  it('lets go of a caller that has hung up while it waits', async () => {
    const { openai, close } = await open({ reply: () => ({ text: 'late', delayMs: 3_600_000 }) });
    const hangUp = new AbortController();
    const call = openai.chat.completions.create(body(), { signal: hangUp.signal });
    hangUp.abort();
    await expect(call).rejects.toThrow('aborted');
    await close();
  });

  it('refuses what is none of the API, with the reason', async () => {
    const { openai, baseUrl } = await open({ modelId: 'only' });
    await expect(openai.chat.completions.create(body())).rejects.toThrow('404 The model m does not exist.');
    await expect(openai.chat.completions.create({ ...body(), messages: [] })).rejects.toThrow(
      '400 Expected "messages" to be a list of at least one item.',
    );
    await expect(
      openai.responses.create({ model: 'm', input: 'x', previous_response_id: 'r' }),
    ).rejects.toThrow('400');
    expect(await (await fetch(`${baseUrl}/models`)).json()).toMatchObject({ data: [{ id: 'only' }] });
    expect((await fetch(`${baseUrl}/embeddings`, { method: 'POST' })).status).toBe(404);
  });
});

it('loads no compilers of schemas, which no route of it has', async () => {
  await open();
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.some((file) => file.endsWith('/fastify/lib/schema-controller.js'))).toBe(true);
  expect(loaded.filter((file) => /\/(ajv|@fastify\/ajv-compiler)\//.test(file))).toEqual([]);
});
