import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { chatChunks, scriptedFetch, type ScriptedAnswer } from '../chat/scripted-engine.fixture.ts';
import { translateMessagesRequest } from './translate-messages-request.ts';

const answer: ScriptedAnswer = {
  reasoning: 'The user asks twice.',
  content: 'Looking it up 😀.',
  toolCalls: [
    { id: 'call_a', name: 'lookup', arguments: '{"q": "a", "n": 1.0}' },
    { id: 'call_b', name: 'lookup', arguments: '{"q":"b"}' },
  ],
  usage: { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 } },
};
const request = {
  model: 'm',
  max_tokens: 64,
  messages: [{ role: 'user' as const, content: 'q' }],
};

function anthropic(answers: ScriptedAnswer[]) {
  const script = scriptedFetch(translateMessagesRequest, answers);
  return { ...script, client: new Anthropic({ apiKey: 'k', baseURL: 'http://engine', fetch: script.fetch }) };
}

describe('the Anthropic SDK', () => {
  it('reads a whole reply', async () => {
    const { client } = anthropic([answer]);
    expect(await client.messages.create(request)).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'engine-model',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'The user asks twice.' },
        { type: 'text', text: 'Looking it up 😀.' },
        { type: 'tool_use', id: 'call_a', name: 'lookup', input: { q: 'a', n: 1 } },
        { type: 'tool_use', id: 'call_b', input: { q: 'b' } },
      ],
      usage: { input_tokens: 7, output_tokens: 7, cache_read_input_tokens: 4 },
    });
  });

  it('puts a stream together to the same message, with every event in its place', async () => {
    const { client } = anthropic([answer, answer]);
    const whole = await client.messages.create(request);
    const types: string[] = [];
    const stream = client.messages.stream(request);
    stream.on('streamEvent', (event) => {
      const type = event.type === 'content_block_delta' ? event.delta.type : event.type;
      if (types.at(-1) !== type) types.push(type);
    });
    const streamed = await stream.finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toEqual(whole.usage);
    expect([streamed.stop_reason, streamed.model]).toEqual([whole.stop_reason, whole.model]);
    const block = (...deltas: string[]) => ['content_block_start', ...deltas, 'content_block_stop'];
    expect(types).toEqual([
      'message_start',
      ...block('thinking_delta', 'signature_delta'),
      ...block('text_delta'),
      ...block('input_json_delta'),
      ...block('input_json_delta'),
      'message_delta',
      'message_stop',
    ]);
  });

  it('echoes an answer as one assistant message, as it was sampled', async () => {
    const { client, chatBodies } = anthropic([answer, { content: 'Done.' }]);
    const first = await client.messages.create(request);
    await client.messages.create({
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] },
        {
          role: 'user',
          content: ['call_a', 'call_b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
        },
      ],
    });
    expect(chatBodies[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: answer.content,
        reasoning_content: answer.reasoning,
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'lookup', arguments: '{"q":"a","n":1}' } },
          { id: 'call_b', type: 'function', function: { name: 'lookup', arguments: '{"q":"b"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'r' },
      { role: 'tool', tool_call_id: 'call_b', content: 'r' },
    ]);
  });

  it('throws where the stream fails', async () => {
    const translation = translateMessagesRequest(JSON.stringify({ ...request, stream: true }));
    const chunks = chatChunks({ content: 'Half' }).slice(0, 2);
    const failures = [
      {
        end: (stream = translation.openStream()) => [...chunks.map((c) => stream.push(c)), stream.finish()],
        type: 'api_error',
      },
      {
        end: (stream = translation.openStream()) => [
          stream.push('{"object":"error","message":"too long","code":400}'),
          stream.finish(),
        ],
        type: 'invalid_request_error',
      },
      {
        end: (stream = translation.openStream()) => [stream.fail({ message: 'gone', status: 529 })],
        type: 'overloaded_error',
      },
    ];
    for (const { end, type } of failures) {
      const body = end().join('');
      const client = new Anthropic({
        apiKey: 'k',
        baseURL: 'http://e',
        fetch: async () => Promise.resolve(new Response(body)),
      });
      await expect(client.messages.stream(request).finalMessage()).rejects.toMatchObject({ type });
    }
  });
});
