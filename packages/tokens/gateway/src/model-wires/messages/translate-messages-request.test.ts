import { describe, expect, it } from 'vitest';
import { chatReply } from '../chat/scripted-engine.fixture.ts';
import { WireReplyError } from '../chat/wire-reply-error.ts';
import { WireRequestError } from '../chat/wire-request-error.ts';
import { countTokensReply, translateCountTokensRequest } from './count-tokens.ts';
import { translateMessagesRequest } from './translate-messages-request.ts';

function chatOf(body: unknown): Record<string, unknown> {
  return JSON.parse(translateMessagesRequest(JSON.stringify(body)).chatBody) as Record<string, unknown>;
}

function refusal(body: unknown): WireRequestError {
  try {
    translateMessagesRequest(JSON.stringify(body));
  } catch (error) {
    if (error instanceof WireRequestError) return error;
    throw error;
  }
  throw new Error('The request was not refused.');
}

const user = { role: 'user', content: 'q' };

describe('translateMessagesRequest', () => {
  it('puts a request of Claude Code on the chat wire', () => {
    expect(
      chatOf({
        model: 'm',
        max_tokens: 64,
        temperature: 1,
        top_k: 5,
        stop_sequences: ['END'],
        stream: true,
        metadata: { user_id: 'u1' },
        thinking: { type: 'enabled', budget_tokens: 1024 },
        context_management: { edits: [] },
        betas: ['x'],
        output_config: { effort: 'high' },
        system: [
          { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=8f3a1;' },
          { type: 'text', text: 'You are', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'an agent.' },
        ],
        tools: [{ name: 'run', description: 'd', input_schema: { type: 'object' }, cache_control: {} }],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'reminder' },
              { type: 'text', text: 'task' },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'text', text: 'I run ' },
              { type: 'text', text: 'it.' },
              { type: 'tool_use', id: 't1', name: 'run', input: { cmd: 'ls' } },
              { type: 'tool_use', id: 't2', name: 'run', input: { _raw_arguments: '{"cmd": l' } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't1',
                content: [
                  { type: 'text', text: 'a' },
                  { type: 'text', text: 'b' },
                ],
              },
              { type: 'tool_result', tool_use_id: 't2', is_error: true },
              { type: 'text', text: 'go on' },
            ],
          },
        ],
      }),
    ).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'You are\nan agent.' },
        { role: 'user', content: 'reminder' },
        { role: 'user', content: 'task' },
        {
          role: 'assistant',
          content: 'I run it.',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 't1', type: 'function', function: { name: 'run', arguments: '{"cmd":"ls"}' } },
            { id: 't2', type: 'function', function: { name: 'run', arguments: '{"cmd": l' } },
          ],
        },
        { role: 'tool', tool_call_id: 't1', content: 'a\nb' },
        { role: 'tool', tool_call_id: 't2', content: '' },
        { role: 'user', content: 'go on' },
      ],
      tools: [
        { type: 'function', function: { name: 'run', description: 'd', parameters: { type: 'object' } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_tokens: 64,
      temperature: 1,
      top_k: 5,
      stop: ['END'],
      user: 'u1',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('keeps the spelling of numbers, escapes, schemas and arguments', () => {
    const { chatBody } = translateMessagesRequest(
      '{"max_tokens":64,"temperature":1.0,"seed":1152921504606846976,"tools":[{"name":"f","input_schema":{"2":1.0,"1":[1e-07]}}],' +
        '"messages":[{"role":"user","content":"\\u00e9😀"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"9": 1.0, "1": 36893488147419103232}}]}]}',
    );
    for (const text of [
      '"temperature":1.0',
      '"seed":1152921504606846976',
      '"parameters":{"2":1.0,"1":[1e-07]}',
      '"\\u00e9😀"',
      String.raw`"arguments":"{\"9\": 1.0, \"1\": 36893488147419103232}"`,
    ]) {
      expect(chatBody).toContain(text);
    }
  });

  it('folds system messages amid the conversation into the user message before them, else after', () => {
    const reminder = '<system-reminder>\nS\n</system-reminder>\n';
    expect(chatOf({ messages: [user, { role: 'system', content: 'S' }] })['messages']).toEqual([
      { role: 'user', content: `q\n${reminder}` },
    ]);
    expect(
      chatOf({ messages: [{ role: 'system', content: [{ type: 'text', text: 'S' }] }, user] })['messages'],
    ).toEqual([{ role: 'user', content: `${reminder}q` }]);
  });

  it('lets the engine continue with a last assistant message, unless it ends with a call', () => {
    expect(chatOf({ messages: [user, { role: 'assistant', content: '{' }] })).toMatchObject({
      add_generation_prompt: false,
      continue_final_message: true,
    });
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} };
    expect(chatOf({ messages: [user, { role: 'assistant', content: [call] }] })).not.toHaveProperty(
      'continue_final_message',
    );
  });

  it('keeps two assistant messages apart', () => {
    const said = { role: 'assistant', content: 'a' };
    expect(chatOf({ messages: [user, said, said] })['messages']).toHaveLength(3);
  });

  it.each([
    ['auto', { type: 'auto' }, 'auto'],
    ['none', { type: 'none' }, 'none'],
    ['tool', { type: 'tool', name: 'f' }, { type: 'function', function: { name: 'f' } }],
  ])('translates tool_choice %s', (_, choice, expected) => {
    const tools = [{ name: 'f', input_schema: {} }];
    expect(chatOf({ messages: [user], tools, tool_choice: choice })['tool_choice']).toEqual(expected);
  });

  it('translates a schema for the answer', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    expect(chatOf({ messages: [user], output_config: { format } })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    });
  });

  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } };
  it.each([
    ['no messages', {}, undefined, /`messages`/],
    [
      'an image',
      { messages: [{ role: 'user', content: [image] }] },
      'messages[0].content[0]',
      /"image"; this gateway captures text/,
    ],
    [
      'an image in the result of a tool',
      {
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image] }] }],
      },
      'messages[0].content[0].content[0]',
      /image/,
    ],
    [
      'a server tool',
      { messages: [user], tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'tools[0]',
      /web_search_20250305/,
    ],
    ['MCP servers', { messages: [user], mcp_servers: [{ url: 'u' }] }, 'mcp_servers', /mcp_servers/],
    ['an unknown role', { messages: [{ role: 'tool', content: '' }] }, 'messages[0]', /got "tool"/],
    [
      'stop sequences of another kind',
      { messages: [user], stop_sequences: [1] },
      'stop_sequences[0]',
      /string, got 1/,
    ],
  ])('refuses %s before anything is sent', (_, body, param, message) => {
    const error = refusal(body);
    expect(error).toMatchObject({ code: 'ART_GATEWAY_BAD_REQUEST', status: 400, param });
    expect(error.message).toMatch(message);
  });

  it('names why the answer ended', () => {
    const translation = translateMessagesRequest(
      JSON.stringify({ messages: [user], stop_sequences: ['END'] }),
    );
    const ends = (answer: Parameters<typeof chatReply>[0]) =>
      JSON.parse(translation.reply(chatReply(answer))) as Record<string, unknown>;
    expect(ends({ content: 'a', stopReason: 'END' })).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
    expect(ends({ content: 'a', stopReason: '<|im_end|>' })).toMatchObject({
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
    expect(ends({ content: 'a', finishReason: 'length' })).toMatchObject({ stop_reason: 'max_tokens' });
    expect(
      ends({ toolCalls: [{ id: 't', name: 'f', arguments: '{}' }], finishReason: 'stop' }),
    ).toMatchObject({
      stop_reason: 'tool_use',
    });
  });

  it('shows arguments that are no object, and spells those that are as the model did', () => {
    const translation = translateMessagesRequest(JSON.stringify({ messages: [user] }));
    const reply = translation.reply(
      chatReply({
        toolCalls: [
          { id: 't', name: 'f', arguments: '{"n": 1.0}' },
          { id: 'u', name: 'f', arguments: '{"n": ' },
        ],
      }),
    );
    expect(reply).toContain('"input":{"n": 1.0}');
    expect(reply).toContain('"input":{"_raw_arguments":"{\\"n\\": "}');
  });

  it('throws what is no chat reply back as a bad gateway', () => {
    const translation = translateMessagesRequest(JSON.stringify({ messages: [user] }));
    for (const chat of ['<html>', '[]', '{"choices":[]}', '{"error":{"message":"boom"}}']) {
      expect(() => translation.reply(chat)).toThrow(WireReplyError);
    }
  });
});

describe('translateCountTokensRequest', () => {
  it('asks for the tokens of the prompt that would be sent', () => {
    const tools = [{ name: 'f', input_schema: { a: 1 } }];
    expect(
      JSON.parse(
        translateCountTokensRequest(JSON.stringify({ model: 'm', system: 's', messages: [user], tools })),
      ),
    ).toEqual({
      model: 'm',
      messages: [{ role: 'system', content: 's' }, user],
      tools: [{ type: 'function', function: { name: 'f', parameters: { a: 1 } } }],
    });
    expect(countTokensReply(3)).toBe('{"input_tokens":3}');
  });
});
