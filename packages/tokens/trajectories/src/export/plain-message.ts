import { isJsonObject, parseJson, stringifyJson, type JsonObject } from '@art/ground';

/** A call of a tool whose arguments are a JSON object. */
export interface PlainToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
  /** As the model wrote them. */
  argumentsText: string;
}

/** A chat message with what every format knows, and nothing else. */
export interface PlainMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** The text of each block. */
  texts: string[];
  /** Texts of blocks are joined. Empty for a message that only calls tools. */
  text: string;
  /** Thoughts of the model before it answered; undefined where nothing is known of them. */
  reasoning: string | undefined;
  toolCalls: PlainToolCall[];
  /** Id of the call that a message of role `tool` answers. */
  toolCallId: string | undefined;
}

/** Why a message fits no text format. */
export type MessageProblem = 'media' | 'ill_formed_tool_call' | 'unknown_message';

/** Reads a message in the shape of chat completions. */
export function plainMessage(message: JsonObject): PlainMessage | MessageProblem {
  const role = message['role'] === 'developer' ? 'system' : message['role'];
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool')
    return 'unknown_message';
  const texts = textsOf(message['content']);
  if (texts === undefined) return 'media';
  const calls: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const toolCalls = calls.map(readCall);
  if (!toolCalls.every((call) => call !== undefined)) return 'ill_formed_tool_call';
  const toolCallId = message['tool_call_id'];
  return {
    role,
    texts,
    text: texts.join('\n'),
    reasoning: [message['reasoning_content'], message['reasoning']].find(isFilled),
    toolCalls,
    toolCallId: typeof toolCallId === 'string' ? toolCallId : undefined,
  };
}

/** @returns undefined where there is more than text */
function textsOf(content: unknown): string[] | undefined {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: unknown) => {
    if (typeof block === 'string') return block;
    return isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : undefined;
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function readCall(call: unknown): PlainToolCall | undefined {
  const called = isJsonObject(call) ? call['function'] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called) || !isFilled(called['name'])) return undefined;
  const given = called['arguments'];
  const written = typeof given === 'string' ? given : stringifyJson(given ?? {});
  // A call without arguments is an empty text in some APIs, and an empty object in others.
  const argumentsText = written.trim() === '' ? '{}' : written;
  const read = readObject(argumentsText);
  if (read === undefined) return undefined;
  return {
    id: typeof call['id'] === 'string' ? call['id'] : '',
    name: called['name'],
    arguments: read,
    argumentsText,
  };
}

// Arguments are never invented: only a call that says "none" has an empty object.
function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
