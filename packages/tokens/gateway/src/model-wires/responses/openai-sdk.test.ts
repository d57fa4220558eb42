import { createOpenAI } from '@ai-sdk/openai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { MemoryResponseItems } from '../chat/memory-response-items.ts';
import { chatChunks, chunk, scriptedFetch, type ScriptedAnswer } from '../chat/scripted-engine.fixture.ts';
import { translateResponsesRequest } from './translate-responses-request.ts';

const answer: ScriptedAnswer = {
  reasoning: 'The user asks twice.',
  content: 'Looking it up 😀.',
  toolCalls: [
    { id: 'call_a', name: 'lookup', arguments: '{"q": "a", "n": 1.0}' },
    { id: 'call_b', name: 'lookup', arguments: '{"q":"b"}' },
  ],
};
const final: ScriptedAnswer = { content: 'Both found.' };

function openai(answers: ScriptedAnswer[]) {
  const script = scriptedFetch(translateResponsesRequest, answers);
  return { ...script, client: new OpenAI({ apiKey: 'k', baseURL: 'http://engine/v1', fetch: script.fetch }) };
}

describe('the openai SDK', () => {
  it('reads a whole reply', async () => {
    const { client } = openai([answer]);
    const response = await client.responses.create({ model: 'm', input: 'q' });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'engine-model',
      output_text: 'Looking it up 😀.',
      usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'The user asks twice.' }] },
        { type: 'message', role: 'assistant', status: 'completed' },
        { type: 'function_call', call_id: 'call_a', name: 'lookup', arguments: '{"q": "a", "n": 1.0}' },
        { type: 'function_call', call_id: 'call_b', arguments: '{"q":"b"}' },
      ],
    });
  });

  it('puts a stream together to the same response, with every event in its place', async () => {
    const { client } = openai([answer, answer]);
    const whole = await client.responses.create({ model: 'm', input: 'q' });
    const stream = client.responses.stream({ model: 'm', input: 'q' });
    const types: string[] = [];
    const sequence: number[] = [];
    stream.on('event', (event) => {
      if (types.at(-1) !== event.type) types.push(event.type);
      sequence.push(event.sequence_number);
    });
    const streamed = await stream.finalResponse();
    const withoutIds = (output: unknown) =>
      JSON.parse(JSON.stringify(output).replaceAll(/_[0-9a-f]{32}_/g, '_')) as unknown;
    expect(streamed.status).toBe('completed');
    expect(streamed.usage).toEqual(whole.usage);
    // The client adds what it has parsed of arguments and texts.
    expect(withoutIds(streamed.output)).toMatchObject(withoutIds(whole.output) as object);
    expect(sequence).toEqual(sequence.map((_, index) => index));
    const call = [
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ];
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      ...call,
      ...call,
      'response.completed',
    ]);
  });

  it('echoes an answer as one assistant message, as it was sampled', async () => {
    const { client, chatBodies } = openai([answer, final]);
    const first = await client.responses.create({ model: 'm', input: 'q' });
    await client.responses.create({
      model: 'm',
      input: [
        { role: 'user', content: 'q' },
        ...first.output,
        { type: 'function_call_output', call_id: 'call_a', output: '1' },
        { type: 'function_call_output', call_id: 'call_b', output: '2' },
      ] as OpenAI.Responses.ResponseInput,
    });
    expect(chatBodies[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: answer.content,
        reasoning_content: answer.reasoning,
        tool_calls: (answer.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
          id,
          type: 'function',
          function: { name, arguments: args },
        })),
      },
      { role: 'tool', tool_call_id: 'call_a', content: '1' },
      { role: 'tool', tool_call_id: 'call_b', content: '2' },
    ]);
  });

  it('is told of an answer that was cut off, and of one that failed', async () => {
    const { client } = openai([{ content: 'Half', finishReason: 'length' }]);
    const cut = await client.responses.stream({ model: 'm', input: 'q' }).finalResponse();
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
    const translation = translateResponsesRequest('{"input":"q","stream":true}');
    const failures = [
      (stream = translation.openStream()) => stream.push(chatChunks(final)[0] ?? '') + stream.finish(),
      (stream = translation.openStream()) =>
        stream.push('{"error":{"message":"boom","code":500}}') + stream.finish(),
      (stream = translation.openStream()) =>
        stream.fail({ message: 'gone', status: 502 }) + stream.push('{}'),
    ];
    for (const text of failures.map((failure) => failure())) {
      const client = new OpenAI({
        apiKey: 'k',
        baseURL: 'http://e',
        fetch: async () => Promise.resolve(new Response(text)),
      });
      const failed = await client.responses.stream({ model: 'm', input: 'q' }).finalResponse();
      expect(failed.status).toBe('failed');
      expect(text.match(/^event: response\.failed$/gm)).toHaveLength(1);
    }
  });

  it('gets logprobs where it asked for them', () => {
    const stream = translateResponsesRequest('{"input":"q","stream":true}').openStream();
    const entry = { token: 'Hi', logprob: -0.5, bytes: null, top_logprobs: [] };
    const delta = { index: 0, delta: { content: 'Hi' }, logprobs: { content: [entry] }, finish_reason: null };
    const text =
      stream.push(chunk([delta])) +
      stream.push(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])) +
      stream.finish();
    expect(text.match(/"logprobs":\[\{"token":"Hi"/g)).toHaveLength(5);
  });
});

describe("the Vercel AI SDK's openai()", () => {
  const tools = [
    { type: 'function' as const, name: 'lookup', inputSchema: { type: 'object' as const, properties: {} } },
  ];
  const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'q' }] };

  it.each([
    ['keeps items on the server', {}],
    [
      'keeps nothing on the server',
      { providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } },
    ],
  ])('runs a loop over tools when it %s', async (_, options) => {
    const items = new MemoryResponseItems();
    const { fetch, chatBodies } = scriptedFetch(translateResponsesRequest, [answer, final], { items });
    const model = createOpenAI({ apiKey: 'k', baseURL: 'http://engine/v1', fetch })('o4-mini');
    const first = await model.doGenerate({ prompt: [user], tools, ...options });
    expect(first.content.map((part) => part.type)).toEqual(['reasoning', 'text', 'tool-call', 'tool-call']);
    expect(first.finishReason.unified).toBe('tool-calls');

    const { stream } = await model.doStream({
      prompt: [
        user,
        {
          role: 'assistant',
          content: first.content.map((part) => {
            const providerOptions = (part as { providerMetadata?: object }).providerMetadata;
            return {
              ...part,
              ...(part.type === 'tool-call' ? { input: JSON.parse(part.input) as unknown } : {}),
              providerOptions,
            } as never;
          }),
        },
        {
          role: 'tool',
          content: ['call_a', 'call_b'].map((toolCallId) => ({
            type: 'tool-result' as const,
            toolCallId,
            toolName: 'lookup',
            output: { type: 'text' as const, value: 'r' },
          })),
        },
      ],
      tools,
      ...options,
    });
    const parts: string[] = [];
    let text = '';
    for await (const part of stream) {
      if (parts.at(-1) !== part.type) parts.push(part.type);
      if (part.type === 'text-delta') text += part.delta;
      expect(part.type).not.toBe('error');
    }
    expect(text).toBe('Both found.');
    expect(parts).toContain('finish');
    expect(chatBodies[1]?.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: answer.content,
        reasoning_content: answer.reasoning,
        tool_calls: [{ id: 'call_a' }, { id: 'call_b' }],
      },
      { role: 'tool', tool_call_id: 'call_a' },
      { role: 'tool', tool_call_id: 'call_b' },
    ]);
  });
});
