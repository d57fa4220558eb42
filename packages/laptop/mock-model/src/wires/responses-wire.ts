import { randomUUID } from 'node:crypto';
import type { MockMessage, MockRequest } from '../mock-request.ts';
import type { SaidPart, SaidTurn } from '../said-parts.ts';
import { partTokens, bytePromptTokens } from '../tokens/byte-tokens.ts';
import { chatWire } from './chat-wire.ts';
import type { ModelWire } from './model-wire.ts';
import { contentText, filledList, records, text, MockRequestError } from './request-parts.ts';

/** OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses), without stored responses. */
export const responsesWire: ModelWire = {
  name: 'responses',
  path: '/v1/responses',

  read(body) {
    if (typeof body['previous_response_id'] === 'string')
      throw new MockRequestError(
        'The mock model keeps no responses: send the whole conversation as "input".',
      );
    const { input, instructions } = body;
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : filledList(body, 'input');
    const system = text(instructions);
    return {
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, text: system, toolCalls: [] }]),
        ...joinTurns(items.flatMap(readItem)),
      ],
      tools: records(body['tools']).map((tool) => ({
        name: text(tool['name']),
        parameters: tool['parameters'],
      })),
    };
  },

  whole: (request, said) => ({ ...head(request), ...ending(request, said, outputItems(said)) }),

  *events(request, said) {
    let sequence = 0;
    const event = (type: string, data: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
    const begun = head(request);
    yield event('response.created', { response: begun });
    yield event('response.in_progress', { response: begun });
    const items = outputItems(said);
    for (const [index, item] of items.entries()) {
      const place = { item_id: item.id, output_index: index };
      yield event('response.output_item.added', { output_index: index, item: item.added });
      if (item.contentPart !== undefined)
        yield event('response.content_part.added', {
          ...place,
          content_index: 0,
          part: item.contentPart(''),
        });
      const at = item.contentPart === undefined ? place : { ...place, content_index: 0 };
      for (const delta of item.deltas) yield event(`response.${item.event}.delta`, { ...at, delta });
      yield event(`response.${item.event}.done`, { ...at, [item.wholeName]: item.whole });
      if (item.contentPart !== undefined)
        yield event('response.content_part.done', { ...at, part: item.contentPart(item.whole) });
      yield event('response.output_item.done', { output_index: index, item: item.done });
    }
    const end = ending(request, said, items);
    yield event(`response.${end.status}`, { response: { ...begun, ...end } });
  },

  error: (status, message) => chatWire.error(status, message),
};

/** An item of the output, with what a stream tells of it. */
interface OutputItem {
  id: string;
  added: object;
  done: object;
  /** Name of the events for its text. */
  event: 'output_text' | 'reasoning_text' | 'function_call_arguments';
  wholeName: 'text' | 'arguments';
  whole: string;
  deltas: string[];
  /** Absent for items without content parts. */
  contentPart?: (text: string) => object;
}

function outputItems(said: SaidTurn): OutputItem[] {
  const deltas = (fits: (part: SaidPart) => boolean): string[] =>
    said.parts.flatMap((part) => ('text' in part && fits(part) ? [part.text] : []));
  const items: OutputItem[] = [];
  if (said.reasoning !== undefined) {
    const head = { id: `rs_${randomUUID()}`, type: 'reasoning', summary: [] };
    const spoken = deltas((part) => part.kind === 'reasoning');
    items.push(contentItem(head, 'reasoning_text', said.reasoning, spoken));
  }
  if (said.text !== '' || said.toolCalls.length === 0) {
    const head = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant' };
    const spoken = deltas((part) => part.kind === 'text');
    items.push(contentItem(head, 'output_text', said.text, spoken));
  }
  said.toolCalls.forEach((call, index) => {
    const base = { id: `fc_${randomUUID()}`, type: 'function_call', call_id: call.id, name: call.name };
    items.push({
      id: base.id,
      added: { ...base, arguments: '', status: 'in_progress' },
      done: { ...base, arguments: call.arguments, status: 'completed' },
      event: 'function_call_arguments',
      wholeName: 'arguments',
      whole: call.arguments,
      deltas: deltas((part) => part.kind === 'call_arguments' && part.index === index),
    });
  });
  return items;
}

function contentItem(
  base: { id: string },
  event: 'output_text' | 'reasoning_text',
  whole: string,
  deltas: string[],
): OutputItem {
  const contentPart = (content: string): object => ({
    type: event,
    text: content,
    ...(event === 'output_text' && { annotations: [], logprobs: [] }),
  });
  return {
    id: base.id,
    added: { ...base, content: [], status: 'in_progress' },
    done: { ...base, content: [contentPart(whole)], status: 'completed' },
    event,
    wholeName: 'text',
    whole,
    deltas,
    contentPart,
  };
}

function head({ model, body }: MockRequest): object {
  return {
    id: `resp_${randomUUID()}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    temperature: body['temperature'] ?? null,
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: body['top_p'] ?? null,
    usage: null,
  };
}

function ending(
  request: MockRequest,
  said: SaidTurn,
  items: readonly OutputItem[],
): { status: 'completed' | 'incomplete' } & Record<string, unknown> {
  const isCut = said.finishReason === 'length' || said.finishReason === 'content_filter';
  const prompt = bytePromptTokens(request).length;
  const spoken = said.parts.flatMap(partTokens).length;
  const reasoned = said.parts.filter((part) => part.kind === 'reasoning').flatMap(partTokens).length;
  return {
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut
      ? { reason: said.finishReason === 'length' ? 'max_output_tokens' : 'content_filter' }
      : null,
    output: items.map((item) => item.done),
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: spoken,
      output_tokens_details: { reasoning_tokens: reasoned },
      total_tokens: prompt + spoken,
    },
  };
}

function readItem(item: Record<string, unknown>): MockMessage[] {
  switch (item['type'] ?? 'message') {
    case 'function_call': {
      const call = {
        id: text(item['call_id']),
        name: text(item['name']),
        arguments: text(item['arguments']),
      };
      return [{ role: 'assistant', text: '', toolCalls: [call] }];
    }
    case 'function_call_output':
      return [{ role: 'tool', text: contentText(item['output']), toolCalls: [] }];
    case 'message': {
      const role = text(item['role']);
      const known = role === 'developer' ? 'system' : (role as MockMessage['role']);
      return [{ role: known, text: contentText(item['content']), toolCalls: [] }];
    }
    default:
      return [];
  }
}

/** The items of one turn of the model are one message, as over the other APIs. */
function joinTurns(messages: readonly MockMessage[]): MockMessage[] {
  const joined: MockMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== 'assistant' || last?.role !== 'assistant') {
      joined.push(message);
      continue;
    }
    const toolCalls = [...last.toolCalls, ...message.toolCalls];
    joined[joined.length - 1] = { role: 'assistant', text: last.text + message.text, toolCalls };
  }
  return joined;
}
