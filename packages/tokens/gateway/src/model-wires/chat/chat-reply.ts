import { isJsonObject, parseJson, stringifyJson } from '@art/ground';
import { WireReplyError } from './wire-reply-error.ts';

/** A tool call as the engine gave it, or a fragment of one. */
export interface ChatToolCall {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  /** JSON text as the model wrote it, which need not be valid. */
  arguments: string;
}

/** An engine's words in a message, or in one delta of it. */
export interface ChatSpeech {
  reasoning: string;
  text: string;
  refusal: string;
  toolCalls: readonly ChatToolCall[];
  /** `logprobs.content` of the choice as JSON text, where the reply has it. */
  logprobs: string | undefined;
}

export interface ChatUsage {
  prompt: number;
  completion: number;
  cached: number;
  reasoning: number;
}

/** A chat reply, or one chunk of a streamed one, reduced to its first choice. */
export interface ChatReply {
  model: string | undefined;
  /** Undefined in a chunk that has no choice. */
  speech: ChatSpeech | undefined;
  finishReason: string | undefined;
  /** The stop sequence that ended the answer, where the engine reports it. */
  stopSequence: string | undefined;
  usage: ChatUsage | undefined;
  /** An error that the engine sent in place of an answer. */
  error: { message: string; status: number | undefined } | undefined;
}

/**
 * Reads a chat reply or a chunk.
 * @param from `message` for a whole reply, `delta` for a chunk
 * @throws WireReplyError where it is not a JSON object
 */
export function readChatReply(json: string, from: 'message' | 'delta'): ChatReply {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw new WireReplyError(`Expected the engine's answer to be JSON: ${String(error)}`, error);
  }
  if (!isJsonObject(value)) throw new WireReplyError("Expected the engine's answer to be a JSON object.");
  const choices: unknown[] = Array.isArray(value['choices']) ? value['choices'] : [];
  // Other choices are captured; these wires have no place for them.
  const choice = choices.filter(isJsonObject).find((entry) => (entry['index'] ?? 0) === 0);
  const said = choice?.[from];
  const logprobs = choice?.['logprobs'];
  return {
    model: text(value['model']),
    speech: isJsonObject(said)
      ? readSpeech(said, isJsonObject(logprobs) ? logprobs['content'] : null)
      : undefined,
    finishReason: text(choice?.['finish_reason']),
    stopSequence: text(choice?.['stop_reason']) ?? text(choice?.['matched_stop']),
    usage: isJsonObject(value['usage']) ? readUsage(value['usage']) : undefined,
    error: readError(value),
  };
}

/** A reply with a message. */
export type WholeChatReply = ChatReply & { speech: ChatSpeech };

/** @throws WireReplyError where it is none */
export function readWholeReply(json: string): WholeChatReply {
  const { speech, ...reply } = readChatReply(json, 'message');
  if (speech !== undefined) return { ...reply, speech };
  throw new WireReplyError(reply.error?.message ?? "The engine's answer has no message.");
}

/** @param said a message of the chat wire, or a delta of one */
export function readSpeech(said: Record<string, unknown>, logprobs?: unknown): ChatSpeech {
  const calls: unknown[] = Array.isArray(said['tool_calls']) ? said['tool_calls'] : [];
  return {
    reasoning: text(said['reasoning_content']) ?? text(said['reasoning']) ?? '',
    text: text(said['content']) ?? '',
    refusal: text(said['refusal']) ?? '',
    toolCalls: calls.filter(isJsonObject).map((call) => readToolCall(call)),
    logprobs: Array.isArray(logprobs) ? stringifyJson(logprobs) : undefined,
  };
}

function readToolCall(call: Record<string, unknown>): ChatToolCall {
  const fn = isJsonObject(call['function']) ? call['function'] : {};
  const args = fn['arguments'];
  return {
    index: typeof call['index'] === 'number' ? call['index'] : undefined,
    id: text(call['id']),
    name: text(fn['name']),
    // Some engines answer with the object itself.
    arguments: typeof args === 'string' ? args : isJsonObject(args) ? stringifyJson(args) : '',
  };
}

function readUsage(usage: Record<string, unknown>): ChatUsage {
  const promptDetails = usage['prompt_tokens_details'];
  const completionDetails = usage['completion_tokens_details'];
  return {
    prompt: count(usage['prompt_tokens']),
    completion: count(usage['completion_tokens']),
    cached: isJsonObject(promptDetails) ? count(promptDetails['cached_tokens']) : 0,
    reasoning: isJsonObject(completionDetails)
      ? count(completionDetails['reasoning_tokens'])
      : count(usage['reasoning_tokens']),
  };
}

function readError(value: Record<string, unknown>): ChatReply['error'] {
  // Older engines put the error's fields at the top.
  const error = isJsonObject(value['error'])
    ? value['error']
    : value['object'] === 'error'
      ? value
      : undefined;
  if (error === undefined) return undefined;
  const status = error['code'] ?? error['status'];
  return {
    message: text(error['message']) ?? 'The engine reported an error without a message.',
    status: typeof status === 'number' && status >= 400 && status < 600 ? status : undefined,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
