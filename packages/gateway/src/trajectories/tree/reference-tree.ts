import { MessageKeys, type MessageKey } from '../messages/message-keys.ts';
import type { Turn } from '../turn.ts';

interface MessageNode {
  key: number;
  isAssistant: boolean;
  /** Undefined for a message that only leads on. */
  turn: Turn | undefined;
  children: MessageNode[];
}

/** A conversation from its beginning to a leaf: the turns on the way. */
export interface ReferenceTree {
  chains: Turn[][];
  roots: number;
  leaves: number;
}

/**
 * Puts turns into a tree by the texts of their messages, as the Python toolkit's `rollout_gateway` does: a turn goes below the
 * first path of equal messages. An answer shorter than `rewriteMergeTokens` that the agent has rewritten before it went
 * on gives way to the rewritten message, unless anything else goes on from it.
 */
export function buildReferenceTree(turns: readonly Turn[], rewriteMergeTokens: number): ReferenceTree {
  const keys = new MessageKeys();
  const root: MessageNode = { key: -1, isAssistant: false, turn: undefined, children: [] };
  for (const turn of turns) {
    const messages = keys.request(turn.trace, true);
    if (messages.length === 0) continue;
    // The chat wire of the original drops reasoning from what it keeps, the Messages wire does not.
    const answer = keys.response(turn.trace, turn.trace.wire === 'messages');
    mount(root, messages, rewriteMergeTokens).children.push({
      key: answer.id,
      isAssistant: true,
      turn,
      children: [],
    });
  }
  const chains = [...chainsBelow(root, [])];
  return { chains, roots: root.children.length, leaves: chains.length };
}

/** Walks down as far as messages are equal, and adds the rest. */
function mount(root: MessageNode, messages: readonly MessageKey[], rewriteMergeTokens: number): MessageNode {
  let node = root;
  for (const message of messages) {
    let next = node.children.find(
      (child) => child.key === message.id && child.isAssistant === message.isAssistant,
    );
    if (next === undefined && message.isAssistant) next = giveWay(node, message, rewriteMergeTokens);
    if (next === undefined) {
      next = { key: message.id, isAssistant: message.isAssistant, turn: undefined, children: [] };
      node.children.push(next);
    }
    node = next;
  }
  return node;
}

function giveWay(
  node: MessageNode,
  message: MessageKey,
  rewriteMergeTokens: number,
): MessageNode | undefined {
  const [answer, ...others] = node.children.filter((child) => child.isAssistant);
  if (answer?.turn === undefined || others.length > 0 || answer.children.length > 0) return undefined;
  if (answer.turn.trace.completionTokenIds.length >= rewriteMergeTokens) return undefined;
  answer.key = message.id;
  answer.turn = undefined;
  return answer;
}

function* chainsBelow(node: MessageNode, above: readonly Turn[]): Generator<Turn[]> {
  const chain = node.turn === undefined ? [...above] : [...above, node.turn];
  if (node.children.length === 0) {
    if (chain.length > 0) yield chain;
    return;
  }
  for (const child of node.children) yield* chainsBelow(child, chain);
}
