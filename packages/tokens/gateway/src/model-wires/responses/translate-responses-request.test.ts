import { describe, expect, it } from 'vitest';
import { MemoryResponseItems } from '../chat/memory-response-items.ts';
import { chatReply } from '../chat/scripted-engine.fixture.ts';
import { WireRequestError } from '../chat/wire-request-error.ts';
import { translateResponsesRequest } from './translate-responses-request.ts';

function chatOf(body: unknown): Record<string, unknown> {
  return JSON.parse(translateResponsesRequest(JSON.stringify(body)).chatBody) as Record<string, unknown>;
}

function refusal(body: unknown): WireRequestError {
  try {
    translateResponsesRequest(typeof body === 'string' ? body : JSON.stringify(body));
  } catch (error) {
    if (error instanceof WireRequestError) return error;
    throw error;
  }
  throw new Error('The request was not refused.');
}

describe('translateResponsesRequest', () => {
  it('puts a plain request on the chat wire', () => {
    expect(
      chatOf({
        model: 'm',
        instructions: 'Be brief.',
        input: 'Hi',
        max_output_tokens: 5,
        temperature: 0.5,
        reasoning: { effort: 'low', summary: 'auto' },
        text: { verbosity: 'low' },
        store: true,
        top_k: 20,
      }),
    ).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_tokens: 5,
      temperature: 0.5,
      reasoning_effort: 'low',
      verbosity: 'low',
      top_k: 20,
    });
  });

  it('keeps the spelling of every number, escape and schema', () => {
    const body =
      '{"model":"m","temperature":1.0,"seed":1152921504606846976,"input":[{"role":"user","content":"caf\\u00e9 \\ud83d\\ude00 😀\\/"}],' +
      '"tools":[{"type":"function","name":"f","parameters":{"2":1.0,"1":1e-07,"big":123456789012345678901234567890, "x" : [ 1.50 ]}}]}';
    const { chatBody } = translateResponsesRequest(new TextEncoder().encode(body));
    for (const text of [
      '"temperature":1.0',
      '"seed":1152921504606846976',
      '"caf\\u00e9 \\ud83d\\ude00 😀\\/"',
      '"parameters":{"2":1.0,"1":1e-07,"big":123456789012345678901234567890, "x" : [ 1.50 ]}',
    ]) {
      expect(chatBody).toContain(text);
    }
  });

  it('lets the last of duplicate members count, once', () => {
    const { chatBody } = translateResponsesRequest('{"input":"a","top_k":1,"input":"b","top_k":2}');
    expect(chatBody).toBe('{"top_k":2,"messages":[{"role":"user","content":"b"}]}');
  });

  it('lets nothing that is passed on stand beside what is translated', () => {
    const { chatBody } = translateResponsesRequest(
      '{"messages":[],"stream":true,"input":"b","max_tokens":7}',
    );
    expect(chatBody).toBe(
      '{"messages":[{"role":"user","content":"b"}],"max_tokens":7,"stream":true,"stream_options":{"include_usage":true}}',
    );
  });

  it('gathers the items of one answer into one assistant message', () => {
    const { messages } = chatOf({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_text', text: 'b' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a": 1.0}' },
        { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
        { type: 'message', role: 'assistant', content: 'Done.' },
        { role: 'developer', content: 'Now in French.' },
      ],
    });
    expect(messages).toEqual([
      { role: 'user', content: 'a\nb' },
      {
        role: 'assistant',
        content: 'Let me see.',
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } },
          { id: 'c2', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'assistant', content: 'Done.' },
      { role: 'system', content: 'Now in French.' },
    ]);
  });

  it('puts parallel calls together again that a client sends with their results between them', () => {
    const { messages } = chatOf({
      input: [
        { role: 'user', content: 'q' },
        { type: 'function_call', id: 'fc_t1_0', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '1' },
        { type: 'function_call', id: 'fc_t1_1', call_id: 'c2', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c2', output: '2' },
        { type: 'function_call', id: 'fc_t2_0', call_id: 'c3', name: 'f', arguments: '{}' },
      ],
    });
    expect(
      (messages as { role: string; tool_calls?: unknown[] }[]).map((m) => [m.role, m.tool_calls?.length]),
    ).toEqual([
      ['user', undefined],
      ['assistant', 2],
      ['tool', undefined],
      ['tool', undefined],
      ['assistant', 1],
    ]);
  });

  it('translates tools, choices and formats', () => {
    const tools = [
      { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
      { type: 'function', name: 'g', parameters: {}, strict: null },
    ];
    expect(chatOf({ input: 'x', tools, tool_choice: { type: 'function', name: 'g' } })).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
        },
        { type: 'function', function: { name: 'g', parameters: {} } },
      ],
      tool_choice: { type: 'function', function: { name: 'g' } },
    });
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] };
    expect(chatOf({ input: 'x', tools, tool_choice: allowed })).toMatchObject({
      tools: [{ function: { name: 'g' } }],
      tool_choice: 'required',
    });
    expect(chatOf({ input: 'x', tool_choice: 'auto' })).not.toHaveProperty('tool_choice');
    expect(
      chatOf({
        input: 'x',
        text: { format: { type: 'json_schema', name: 'n', schema: { a: 1 }, strict: true } },
      }),
    ).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { a: 1 }, strict: true } },
    });
  });

  it('asks for logprobs only where the client includes them', () => {
    expect(chatOf({ input: 'x', top_logprobs: 3 })).not.toHaveProperty('top_logprobs');
    expect(chatOf({ input: 'x', top_logprobs: 3, include: ['message.output_text.logprobs'] })).toMatchObject({
      logprobs: true,
      top_logprobs: 3,
    });
  });

  it.each([
    ['no JSON', '{', undefined, /JSON/],
    ['no object', '[]', undefined, /object, got an array/],
    ['no input', {}, undefined, /`input`/],
    ['input of another kind', { input: 3 }, 'input', /array, got 3/],
    [
      'an image',
      { input: [{ role: 'user', content: [{ type: 'input_image' }] }] },
      'input[0].content[0]',
      /input_image/,
    ],
    ['a hosted tool', { input: 'x', tools: [{ type: 'web_search' }] }, 'tools[0]', /web_search/],
    [
      'an item of a hosted tool',
      { input: [{ type: 'web_search_call', id: 'w' }] },
      'input[0]',
      /web_search_call/,
    ],
    [
      'previous_response_id',
      { input: 'x', previous_response_id: 'r' },
      'previous_response_id',
      /whole conversation/,
    ],
    ['background', { input: 'x', background: true }, 'background', /background/],
    ['several choices', { input: 'x', n: 2 }, 'n', /to be 1/],
    [
      'an unknown reference',
      { input: [{ type: 'item_reference', id: 'msg_1' }] },
      'input[0]',
      /store to false/,
    ],
  ])('refuses %s before anything is sent', (_, body, param, message) => {
    const error = refusal(body);
    expect(error).toMatchObject({ code: 'ART_GATEWAY_BAD_REQUEST', status: 400, param });
    expect(error.message).toMatch(message);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => translateResponsesRequest(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(WireRequestError);
  });

  it('knows its own items again by their ids, unless it was told to store nothing', () => {
    const items = new MemoryResponseItems();
    const first = translateResponsesRequest('{"input":"x"}', { items });
    const { output } = JSON.parse(first.reply(chatReply({ content: 'Hello' }))) as {
      output: { id: string }[];
    };
    const again = JSON.stringify({ input: [{ type: 'item_reference', id: output[0]?.id }] });
    expect(JSON.parse(translateResponsesRequest(again, { items }).chatBody)).toMatchObject({
      messages: [{ role: 'assistant', content: 'Hello' }],
    });
    const unstored = translateResponsesRequest('{"input":"x","store":false}', { items });
    const reply = JSON.parse(unstored.reply(chatReply({ content: 'Hello' }))) as { output: { id: string }[] };
    expect(items.recall(reply.output[0]?.id ?? '')).toBeUndefined();
  });
});
