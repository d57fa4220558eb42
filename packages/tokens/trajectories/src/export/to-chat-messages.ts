import type { JsonObject } from '@art/ground';
import type { PlainMessage, PlainToolCall } from './plain-message.ts';

/** How a format spells messages of chat completions. */
export interface ChatSpelling {
  arguments: 'object' | 'text';
  /** True if `reasoning_content` and names of tools on their results are known there. */
  isExtended: boolean;
}

/** Messages in the shape of chat completions. */
export function toChatMessages(messages: readonly PlainMessage[], spelling: ChatSpelling): JsonObject[] {
  // Of the calls so far: some models begin with the same ids in each turn.
  const names = new Map<string, string>();
  return messages.map(({ role, text, reasoning, toolCalls, toolCallId }): JsonObject => {
    for (const { id, name } of toolCalls) names.set(id, name);
    const name = names.get(toolCallId ?? '');
    return {
      role,
      // Null is what the field writes beside calls; templates print it where they are given an empty object of text.
      content: text === '' && toolCalls.length > 0 && !spelling.isExtended ? null : text,
      ...(spelling.isExtended && reasoning !== undefined && { reasoning_content: reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => chatCall(call, spelling)) }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
      ...(role === 'tool' && spelling.isExtended && name !== undefined && { name }),
    };
  });
}

function chatCall({ id, name, arguments: given, argumentsText }: PlainToolCall, spelling: ChatSpelling) {
  return {
    id,
    type: 'function',
    function: { name, arguments: spelling.arguments === 'text' ? argumentsText : given },
  };
}
