import { stringifyJson, type JsonObject } from '@art/ground';
import type { RowProblem } from './row-problem.ts';
import type { RowMessage, TextRow } from './text-row.ts';

/** A type and no interface, which would be no JSON object to the compiler. */
type Turn = {
  from: 'human' | 'observation' | 'gpt' | 'function_call';
  value: string;
};

/**
 * A row as ShareGPT in the way LLaMA-Factory reads it: human and observation at odd places, gpt and function_call at even ones.
 * Several calls in one answer are a list; so are their results. https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md
 */
export function toShareGpt({ messages, tools }: TextRow): JsonObject | RowProblem {
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const groups = sameSide(messages.filter(({ role }) => role !== 'system'));
  const turns: Turn[] = [];
  for (const [place, group] of groups.entries()) {
    const turn = turnOf(group);
    if (typeof turn === 'string') return turn;
    const isAsking = turn.from === 'human' || turn.from === 'observation';
    if (isAsking !== (place % 2 === 0)) return 'order_of_messages';
    turns.push(turn);
  }
  if (turns.length === 0 || turns.length % 2 === 1) return 'order_of_messages';
  return {
    conversations: turns,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...(tools.length > 0 && { tools: stringifyJson(tools) }),
  };
}

/** Results of tools that follow one another belong together; so do texts of a user. */
function sameSide(messages: readonly RowMessage[]): RowMessage[][] {
  const groups: RowMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role !== 'assistant' && last?.[0]?.role === message.role) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

function turnOf(group: readonly RowMessage[]): Turn | RowProblem {
  const [first] = group;
  switch (first!.role) {
    case 'user':
      return { from: 'human', value: group.map(({ text }) => text).join('\n\n') };
    case 'tool':
      return {
        from: 'observation',
        value: group.length === 1 ? first!.text : stringifyJson(group.map(({ text }) => text)),
      };
    default:
      return answerTurn(first!);
  }
}

function answerTurn({ text, toolCalls }: RowMessage): Turn | RowProblem {
  if (toolCalls.length === 0) return { from: 'gpt', value: text };
  if (text.trim() !== '') return 'text_beside_tool_call';
  const calls = toolCalls.map(({ name, arguments: given }) => ({ name, arguments: given }));
  return { from: 'function_call', value: stringifyJson(calls.length === 1 ? calls[0] : calls) };
}
