import { bridgeProbe, type Continuation } from './bridge-probe.ts';

export interface BridgeTail {
  /** From the token that closes the assistant's turn to the end of the next generation prompt. */
  text: string;
  /** Whether the template closes an assistant's turn with a token of its own, rather than with the next role's. */
  hasClose: boolean;
}

// Nothing that a template or a tokenizer would change.
const sentinel = 'xQ7wZ9';

type Render = (messages: readonly string[], addGenerationPrompt: boolean) => string;

/**
 * What a template writes between the end of an assistant's turn and the start of the next: what follows the sentinel of a
 * short conversation with the new messages. Undefined where the template does not allow it.
 */
export function findBridgeTail(
  render: Render,
  continuation: Continuation,
  specialTokens: readonly string[],
): BridgeTail | undefined {
  const { newMessages, toolCalls } = continuation;
  const tail = tailAfter(render, continuation, specialTokens);
  if (tail !== undefined || toolCalls === undefined) return tail;
  return tailAfter(render, { newMessages }, specialTokens);
}

function tailAfter(
  render: Render,
  continuation: Continuation,
  specialTokens: readonly string[],
): BridgeTail | undefined {
  const history = bridgeProbe(sentinel, continuation);
  let ending: string | undefined;
  let tail: string | undefined;
  try {
    ending = afterSentinel(render(history, false));
    tail = afterSentinel(render([...history, ...continuation.newMessages], true));
  } catch {
    return undefined;
  }
  if (ending === undefined || tail === undefined) return undefined;
  // What precedes the closing token belongs to the assistant's turn, which the model itself wrote.
  const close = lastSpecial(ending, specialTokens);
  const turnEnd = close ?? ending.length;
  if (!tail.startsWith(ending.slice(0, turnEnd))) return undefined;
  return { text: tail.slice(turnEnd), hasClose: close !== undefined };
}

function afterSentinel(text: string): string | undefined {
  const at = text.lastIndexOf(sentinel);
  return at < 0 ? undefined : text.slice(at + sentinel.length);
}

function lastSpecial(text: string, specialTokens: readonly string[]): number | undefined {
  const last = Math.max(-1, ...specialTokens.map((token) => text.lastIndexOf(token)));
  return last < 0 ? undefined : last;
}
