import { MessageKeys, type ThoughtKey } from '../messages/message-keys.ts';
import type { Turn } from '../turn.ts';

interface MessageNode {
  key: ThoughtKey;
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
 * first path of equal messages, where an echo may also leave out what was thought or be the only one to have it. An answer shorter than `rewriteMergeTokens` that the agent has rewritten before it went
 * on gives way to the rewritten message, unless anything else goes on from it.
 */
export function buildReferenceTree(turns: readonly Turn[], rewriteMergeTokens: number): ReferenceTree {
  const keys = new MessageKeys();
  const noMessage = { id: -1, unthought: -1, isAssistant: false };
  const root: MessageNode = { key: noMessage, turn: undefined, children: [] };
  for (const turn of turns) {
    const messages = turn.trace.messages.map((message) => keys.thought(message));
    if (messages.length === 0) continue;
    const answer = keys.thought(turn.trace.responseMessage);
    mount(root, messages, rewriteMergeTokens).children.push({
      key: { ...answer, isAssistant: true },
      turn,
      children: [],
    });
  }
  const chains = [...chainsBelow(root, [])];
  return { chains, roots: root.children.length, leaves: chains.length };
}

/** Walks down as far as messages are equal, and adds the rest. */
function mount(root: MessageNode, messages: readonly ThoughtKey[], rewriteMergeTokens: number): MessageNode {
  let node = root;
  for (const message of messages) {
    let next = childFor(node, message);
    if (next === undefined && message.isAssistant) next = giveWay(node, message, rewriteMergeTokens);
    if (next === undefined) {
      next = { key: message, turn: undefined, children: [] };
      node.children.push(next);
    }
    node = next;
  }
  return node;
}

function childFor({ children }: MessageNode, message: ThoughtKey): MessageNode | undefined {
  const same = children.find(({ key }) => key.id === message.id && key.isAssistant === message.isAssistant);
  if (same !== undefined || !message.isAssistant) return same;
  // Two that were thought differently are two answers.
  return children.find(
    ({ key }) =>
      key.isAssistant &&
      key.unthought === message.unthought &&
      (key.id === key.unthought || message.id === message.unthought),
  );
}

function giveWay(
  node: MessageNode,
  message: ThoughtKey,
  rewriteMergeTokens: number,
): MessageNode | undefined {
  const [answer, ...others] = node.children.filter((child) => child.key.isAssistant);
  if (answer?.turn === undefined || others.length > 0 || answer.children.length > 0) return undefined;
  if (answer.turn.trace.completionTokenIds.length >= rewriteMergeTokens) return undefined;
  answer.key = message;
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
