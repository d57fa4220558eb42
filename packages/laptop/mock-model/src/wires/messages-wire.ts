import { randomUUID } from 'node:crypto';
import type { MockMessage, MockRequest } from '../mock-request.ts';
import type { SaidPart, SaidTurn } from '../said-parts.ts';
import { partTokens, bytePromptTokens } from '../tokens/byte-tokens.ts';
import type { ModelWire } from './model-wire.ts';
import { contentText, filledList, record, records, text } from './request-parts.ts';

const stopReasons = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
} as const;

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Anthropic's Messages (https://docs.anthropic.com/en/api/messages). */
export const messagesWire: ModelWire = {
  name: 'messages',
  path: '/v1/messages',

  read(body) {
    const system = contentText(body['system']);
    return {
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, text: system, toolCalls: [] }]),
        ...filledList(body, 'messages').flatMap(readMessage),
      ],
      tools: records(body['tools']).map((tool) => ({
        name: text(tool['name']),
        parameters: tool['input_schema'],
      })),
    };
  },

  whole(request, said) {
    const { reasoning, text: content, toolCalls } = said;
    return {
      ...head(request),
      content: [
        ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'mock' }]),
        ...(content === '' ? [] : [{ type: 'text', text: content }]),
        ...toolCalls.map(({ id, name, arguments: json }) => ({
          type: 'tool_use',
          id,
          name,
          input: JSON.parse(json) as unknown,
        })),
      ],
      stop_reason: stopReasons[said.finishReason],
      stop_sequence: null,
      usage: { input_tokens: bytePromptTokens(request).length, output_tokens: spoken(said) },
    };
  },

  *events(request, said) {
    const usage = { input_tokens: bytePromptTokens(request).length, output_tokens: 0 };
    yield event('message_start', {
      message: { ...head(request), content: [], stop_reason: null, stop_sequence: null, usage },
    });
    let index = -1;
    let open: SaidPart['kind'] | undefined;
    const close = function* (): Generator<string> {
      if (open !== undefined) yield event('content_block_stop', { index });
      open = undefined;
    };
    for (const part of said.parts) {
      const begins = part.kind === 'call_name' || (part.kind !== 'call_arguments' && part.kind !== open);
      if (begins) yield* close();
      const block = blockOf(part);
      if (begins && block !== undefined) {
        index += 1;
        open = part.kind;
        yield event('content_block_start', { index, content_block: block });
      }
      const delta = deltaOf(part);
      if (delta !== undefined) yield event('content_block_delta', { index, delta });
    }
    yield event('message_delta', {
      delta: { stop_reason: stopReasons[said.finishReason], stop_sequence: null },
      usage: { output_tokens: spoken(said) },
    });
    yield event('message_stop', {});
  },

  error: (status, message) => ({
    type: 'error',
    error: {
      type: errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
      message,
    },
  }),
};

function readMessage(message: Record<string, unknown>): MockMessage[] {
  const { role, content } = message;
  const blocks = records(content);
  const results = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => ({ role: 'tool' as const, text: contentText(block['content']), toolCalls: [] }));
  const toolCalls = blocks
    .filter((block) => block['type'] === 'tool_use')
    .map(({ id, name, input }) => ({
      id: text(id),
      name: text(name),
      arguments: JSON.stringify(record(input)),
    }));
  const said = contentText(content);
  // A message with nothing but results of tools is no new question.
  if (results.length > 0 && said === '') return results;
  // Claude Code tells where it runs in messages of the system that come after the user's.
  const speaker = role === 'assistant' || role === 'system' ? role : 'user';
  return [...results, { role: speaker, text: said, toolCalls }];
}

function blockOf(part: SaidPart): object | undefined {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '' };
    case 'call_name':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} };
    default:
      return undefined;
  }
}

function deltaOf(part: SaidPart): object | undefined {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking_delta', thinking: part.text };
    case 'text':
      return { type: 'text_delta', text: part.text };
    case 'call_arguments':
      return { type: 'input_json_delta', partial_json: part.text };
    default:
      return undefined;
  }
}

function head({ model }: MockRequest): object {
  return { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model };
}

function spoken({ parts }: SaidTurn): number {
  return parts.flatMap(partTokens).length;
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
