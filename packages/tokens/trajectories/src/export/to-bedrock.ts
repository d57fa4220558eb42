import type { JsonObject } from '@art/ground';
import type { RowProblem } from './row-problem.ts';
import type { TextRow } from './text-row.ts';

/**
 * A row as `bedrock-conversation-2024`, which has system texts, and users and assistants in turn; it is documented without tools.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-customization-prepare.html
 */
export function toBedrock({ messages }: TextRow): JsonObject | RowProblem {
  const isWithTools = messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls.length > 0);
  if (isWithTools) return 'tool_calls';
  const system = messages.filter(({ role }) => role === 'system');
  const turns: { role: string; content: { text: string }[] }[] = [];
  for (const { role, text } of messages) {
    if (role === 'system') continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push({ text });
    else turns.push({ role, content: [{ text }] });
  }
  if (turns[0]?.role !== 'user' || turns.at(-1)?.role !== 'assistant') return 'order_of_messages';
  return {
    schemaVersion: 'bedrock-conversation-2024',
    ...(system.length > 0 && { system: system.map(({ text }) => ({ text })) }),
    messages: turns,
  };
}
