import { isJsonObject } from '@art/protocol';

import type { ParsedToolCall, ParsedTurn } from '../parsers/parsed-turn.ts';

/** A message of the chat wire, as an engine took it apart. Undefined where it is none. */
export function readEngineMessage(value: unknown): ParsedTurn | undefined {
  if (!isJsonObject(value)) return undefined;
  const calls: readonly unknown[] = Array.isArray(value['tool_calls']) ? value['tool_calls'] : [];
  return {
    content: textOf(value['content']),
    // Releases differ in the name.
    reasoning: textOf(value['reasoning'] ?? value['reasoning_content']),
    toolCalls: calls.flatMap((call) => readCall(call) ?? []),
    // What an engine could not take apart it leaves in the text, without a word.
    illFormed: false,
  };
}

function readCall(value: unknown): ParsedToolCall | undefined {
  const call = isJsonObject(value) ? value['function'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(call) || typeof call['name'] !== 'string') return undefined;
  const { id } = value;
  const args = call['arguments'];
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    name: call['name'],
    arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
