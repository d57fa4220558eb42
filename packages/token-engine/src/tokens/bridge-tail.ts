import type { ChatTemplate } from './chat-template.ts';
import type { LosslessJson, LosslessObject } from './lossless-json.ts';

/** What the bridge between two turns is computed from. */
export interface BridgeTailInput {
  template: ChatTemplate;
  /** What the conversation went on with after the assistant's turn, as templates expect it. */
  newMessages: readonly LosslessObject[];
  tools: LosslessJson | undefined;
  variables: LosslessObject | undefined;
  /** The calls of the assistant's turn where it made some; templates of some models read them to render the results. */
  toolCalls: LosslessJson[] | undefined;
  specialTokens: readonly string[];
}

export interface BridgeTail {
  /** From the token that closes the assistant's turn to the end of the next generation prompt. */
  text: string;
  /** Whether the template closes an assistant's turn with a token of its own, rather than with the next role's. */
  hasClose: boolean;
}

// Nothing that a template or a tokenizer would change.
const sentinel = 'xQ7wZ9';

/**
 * Finds, without knowing the model, what a template writes between the end of an assistant's turn and the start of the
 * next: it renders a short conversation whose assistant says the sentinel, the same with the new messages, and takes
 * what follows the sentinel. Undefined where the template does not allow it.
 */
export function findBridgeTail(input: BridgeTailInput): BridgeTail | undefined {
  const calls = input.toolCalls;
  if (calls !== undefined && calls.length > 0 && input.newMessages[0]?.get('role') === 'tool') {
    const withCalls = tailAfter(input, assistantCalling(calls));
    if (withCalls !== undefined) return withCalls;
  }
  return tailAfter(input, object({ role: 'assistant', content: sentinel }));
}

function tailAfter(input: BridgeTailInput, assistant: LosslessObject): BridgeTail | undefined {
  const history = [object({ role: 'user', content: 'x' }), assistant];
  const shared = { tools: input.tools, variables: input.variables };
  let closed: string;
  let open: string;
  try {
    closed = input.template.render({ messages: history, addGenerationPrompt: false, ...shared });
    open = input.template.render({
      messages: [...history, ...input.newMessages],
      addGenerationPrompt: true,
      ...shared,
    });
  } catch {
    return undefined;
  }
  const ending = afterSentinel(closed);
  const tail = afterSentinel(open);
  if (ending === undefined || tail === undefined) return undefined;
  // What precedes the closing token belongs to the assistant's turn, which the model itself wrote.
  const close = lastSpecial(ending, input.specialTokens);
  const turnEnd = close ?? ending.length;
  if (!tail.startsWith(ending.slice(0, turnEnd))) return undefined;
  return { text: tail.slice(turnEnd), hasClose: close !== undefined };
}

// The sentinel is the last call's only argument, so that what follows it is the end of the turn.
function assistantCalling(calls: readonly LosslessJson[]): LosslessObject {
  const toolCalls = calls.map((call, index) => {
    const copy: LosslessObject = new Map(call instanceof Map ? call : []);
    const inner = copy.get('function');
    const called: LosslessObject = new Map(inner instanceof Map ? inner : []);
    called.set('arguments', object(index === calls.length - 1 ? { x: sentinel } : {}));
    return copy.set('type', 'function').set('function', called);
  });
  return object({ role: 'assistant', content: '' }).set('tool_calls', toolCalls);
}

function object(members: Record<string, LosslessJson>): LosslessObject {
  return new Map(Object.entries(members));
}

function afterSentinel(text: string): string | undefined {
  const at = text.lastIndexOf(sentinel);
  return at < 0 ? undefined : text.slice(at + sentinel.length);
}

function lastSpecial(text: string, specialTokens: readonly string[]): number | undefined {
  let last = -1;
  for (const token of specialTokens) last = Math.max(last, text.lastIndexOf(token));
  return last < 0 ? undefined : last;
}
