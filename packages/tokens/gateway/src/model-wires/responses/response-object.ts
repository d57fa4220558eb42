import { hasGivenUp } from '../chat/has-given-up.ts';
import type { ChatUsage } from '../chat/chat-reply.ts';
import type { RequestValue } from '../chat/request-value.ts';
import type { ResponseItems } from '../chat/wire-translation.ts';
import { writeArray, writeObject } from '../../json-bytes/write-json.ts';

/** Members of a request that its response repeats: JSON texts. */
export interface ResponsesEcho {
  model: string;
  members: readonly (readonly [name: string, text: string])[];
  /** True if the client keeps the reasoning itself, in the form that is opaque to it. */
  sealsReasoning: boolean;
}

/** Context of one answer. */
export interface ResponseContext {
  echo: ResponsesEcho;
  /** The unique part of its ids. */
  turn: string;
  createdAtMs: number;
  newId: () => string;
  items: ResponseItems | undefined;
}

export type ResponseState =
  | { status: 'in_progress' }
  | { status: 'completed' }
  | { status: 'incomplete'; reason: 'max_output_tokens' | 'content_filter' }
  | { status: 'failed'; message: string };

const echoed = [
  ['background', 'false'],
  ['instructions', 'null'],
  ['max_output_tokens', 'null'],
  ['max_tool_calls', 'null'],
  ['metadata', '{}'],
  ['parallel_tool_calls', 'true'],
  ['previous_response_id', 'null'],
  ['prompt_cache_key', 'null'],
  ['reasoning', '{"effort":null,"summary":null}'],
  ['safety_identifier', 'null'],
  ['service_tier', 'null'],
  ['store', 'true'],
  ['temperature', 'null'],
  ['text', '{"format":{"type":"text"}}'],
  ['tool_choice', '"auto"'],
  ['tools', '[]'],
  ['top_logprobs', '0'],
  ['top_p', 'null'],
  ['truncation', '"disabled"'],
  ['user', 'null'],
] as const;

/** @throws WireRequestError where `include` is not a list of strings */
export function readResponsesEcho(request: RequestValue): ResponsesEcho {
  const includes = (request.member('include')?.elements() ?? []).map((entry) => entry.string());
  return {
    model: request.member('model')?.stringText() ?? '""',
    members: echoed.map(([name, standard]) => [name, request.member(name)?.text ?? standard] as const),
    sealsReasoning:
      includes.includes('reasoning.encrypted_content') || request.member('store')?.boolean() === false,
  };
}

/** The state that an engine's finish reason stands for. */
export function responseState(finishReason: string | undefined): ResponseState {
  if (finishReason === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finishReason === 'content_filter') return { status: 'incomplete', reason: 'content_filter' };
  if (hasGivenUp(finishReason)) {
    return { status: 'failed', message: `The engine gave up (finish reason "${finishReason}").` };
  }
  return { status: 'completed' };
}

/**
 * The response object: of a whole reply, and inside the events that begin and end a stream.
 * @param output items as JSON text
 */
export function writeResponseObject(
  context: ResponseContext,
  state: ResponseState,
  output: readonly string[],
  reply: { model: string | undefined; usage: ChatUsage | undefined },
): string {
  return writeObject([
    ['id', JSON.stringify(`resp_${context.turn}`)],
    ['object', '"response"'],
    ['created_at', String(Math.floor(context.createdAtMs / 1_000))],
    ['status', JSON.stringify(state.status)],
    [
      'error',
      state.status === 'failed' ? JSON.stringify({ code: 'server_error', message: state.message }) : 'null',
    ],
    ['incomplete_details', state.status === 'incomplete' ? JSON.stringify({ reason: state.reason }) : 'null'],
    ['model', reply.model === undefined ? context.echo.model : JSON.stringify(reply.model)],
    ['output', writeArray(output)],
    ...context.echo.members,
    ['usage', reply.usage === undefined ? 'null' : writeUsage(reply.usage)],
  ]);
}

function writeUsage(usage: ChatUsage): string {
  return JSON.stringify({
    input_tokens: usage.prompt,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: 0 },
    output_tokens: usage.completion,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.prompt + usage.completion,
  });
}
