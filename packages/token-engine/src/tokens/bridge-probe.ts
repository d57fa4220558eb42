import { parseLossless, stringifyLossless, type LosslessJson, type LosslessObject } from './lossless-json.ts';

/** How a conversation went on after an assistant's turn. Everything as the JSON text in which it came. */
export interface Continuation {
  newMessages: readonly string[];
  /** The `tool_calls` of the assistant's turn, a JSON array. */
  toolCalls?: string | undefined;
}

/** Whether what a template writes between the turns can be told from it: a further assistant's turn is not of the model. */
export function canBeBridged({ newMessages }: Continuation): boolean {
  return newMessages.length > 0 && newMessages.every((message) => roleOf(message) !== 'assistant');
}

/**
 * A short conversation whose assistant says the sentinel, to find out, without knowing the model, what its template writes
 * after an assistant's turn.
 */
export function bridgeProbe(sentinel: string, { newMessages, toolCalls }: Continuation): string[] {
  const calls = toolCalls === undefined ? undefined : parseLossless(toolCalls);
  const assistant: LosslessObject = new Map([['role', 'assistant']]);
  // Templates of some models read the calls to render their results.
  if (Array.isArray(calls) && calls.length > 0 && roleOf(newMessages[0] ?? 'null') === 'tool') {
    assistant.set('content', '').set('tool_calls', callsSaying(sentinel, calls));
  } else assistant.set('content', sentinel);
  return ['{"role":"user","content":"x"}', stringifyLossless(assistant)];
}

// The sentinel is the last call's only argument, so that what follows it is the end of the turn.
function callsSaying(sentinel: string, calls: readonly LosslessJson[]): LosslessJson[] {
  return calls.map((call, index) => {
    const copy: LosslessObject = new Map(call instanceof Map ? call : []);
    const inner = copy.get('function');
    const args = index === calls.length - 1 ? `{"x":"${sentinel}"}` : '{}';
    return copy
      .set('type', 'function')
      .set('function', new Map(inner instanceof Map ? inner : []).set('arguments', args));
  });
}

function roleOf(message: string): LosslessJson | undefined {
  const value = parseLossless(message);
  return value instanceof Map ? value.get('role') : undefined;
}
