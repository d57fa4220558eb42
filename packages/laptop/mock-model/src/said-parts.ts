import type { MockRequest } from './mock-request.ts';
import type { MockTurn } from './mock-turn.ts';

/** A piece of what the model says, in the order of its tokens; a stream has an event for each. */
export type SaidPart =
  | { kind: 'reasoning'; text: string }
  | { kind: 'reasoning_end' }
  | { kind: 'text'; text: string }
  | { kind: 'call_name'; index: number; id: string; name: string }
  | { kind: 'call_arguments'; index: number; text: string }
  | { kind: 'end' };

/** Turn of the model, complete: with its defaults filled in. */
export interface SaidTurn {
  text: string;
  reasoning: string | undefined;
  toolCalls: { id: string; name: string; arguments: string }[];
  finishReason: NonNullable<MockTurn['finishReason']>;
  parts: SaidPart[];
}

export function saidTurn(turn: MockTurn, request: MockRequest): SaidTurn {
  const earlier = request.messages.reduce((count, message) => count + message.toolCalls.length, 0);
  const toolCalls = (turn.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${earlier + index + 1}`,
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
  }));
  const { text = '', reasoning, finishReason = toolCalls.length > 0 ? 'tool_calls' : 'stop' } = turn;
  const parts: SaidPart[] = [];
  if (reasoning !== undefined) {
    for (const word of words(reasoning)) parts.push({ kind: 'reasoning', text: word });
    parts.push({ kind: 'reasoning_end' });
  }
  for (const word of words(text)) parts.push({ kind: 'text', text: word });
  toolCalls.forEach((call, index) => {
    parts.push({ kind: 'call_name', index, id: call.id, name: call.name });
    // In two parts, so that clients which forget to join them notice.
    const middle = Math.ceil(call.arguments.length / 2);
    for (const half of [call.arguments.slice(0, middle), call.arguments.slice(middle)])
      parts.push({ kind: 'call_arguments', index, text: half });
  });
  parts.push({ kind: 'end' });
  return { text, reasoning, toolCalls, finishReason, parts };
}

function words(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
