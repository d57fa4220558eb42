import { MessageKeys, type ReasoningKey } from '../messages/message-keys.ts';
import type { Turn } from './turn.ts';

interface MessageNode {
  readonly parent: MessageNode | undefined;
  key: ReasoningKey;
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
 * Puts turns into a tree by the texts of their messages, as the Python toolkit's `rollout_gateway` does. A turn goes below the
 * first path of equal messages. An answer and the message that the agent sends back are also equal where only one of them has
 * reasoning. If the agent has rewritten an answer shorter than `forkThresholdTokens` before its next call, the rewritten message
 * replaces the answer, unless another turn continues it.
 */
export function buildReferenceTree(turns: readonly Turn[], forkThresholdTokens: number): ReferenceTree {
  const keys = new MessageKeys();
  const noMessage = { id: -1, withoutReasoning: -1, isAssistant: false };
  const root: MessageNode = { parent: undefined, key: noMessage, turn: undefined, children: [] };
  for (const turn of turns) {
    const messages = turn.capture.messages.map((message) => keys.withReasoning(message));
    if (messages.length === 0) continue;
    const answer = keys.withReasoning(turn.capture.responseMessage);
    const parent = mount(root, messages, forkThresholdTokens);
    parent.children.push({
      parent,
      key: { ...answer, isAssistant: true },
      turn,
      children: [],
    });
  }
  const chains = chainsBelow(root);
  return { chains, roots: root.children.length, leaves: chains.length };
}

/** Walks down as far as messages are equal, and adds the rest. */
function mount(
  root: MessageNode,
  messages: readonly ReasoningKey[],
  forkThresholdTokens: number,
): MessageNode {
  let node = root;
  for (const message of messages) {
    let next = childFor(node, message);
    if (next === undefined && message.isAssistant) next = giveWay(node, message, forkThresholdTokens);
    if (next === undefined) {
      next = { parent: node, key: message, turn: undefined, children: [] };
      node.children.push(next);
    }
    node = next;
  }
  return node;
}

function childFor({ children }: MessageNode, message: ReasoningKey): MessageNode | undefined {
  const same = children.find(({ key }) => key.id === message.id && key.isAssistant === message.isAssistant);
  if (same !== undefined || !message.isAssistant) return same;
  // Two answers with different reasoning are two answers.
  return children.find(
    ({ key }) =>
      key.isAssistant &&
      key.withoutReasoning === message.withoutReasoning &&
      (key.id === key.withoutReasoning || message.id === message.withoutReasoning),
  );
}

function giveWay(
  node: MessageNode,
  message: ReasoningKey,
  forkThresholdTokens: number,
): MessageNode | undefined {
  const [answer, ...others] = node.children.filter((child) => child.key.isAssistant);
  if (answer?.turn === undefined || others.length > 0 || answer.children.length > 0) return undefined;
  if (answer.turn.capture.completionTokenIds.length >= forkThresholdTokens) return undefined;
  answer.key = message;
  answer.turn = undefined;
  return answer;
}

/** From the leftmost leaf to the rightmost. A loop, as conversations may be longer than the stack is deep. */
function chainsBelow(root: MessageNode): Turn[][] {
  const chains: Turn[][] = [];
  const open = [...root.children].toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const child of node.children.toReversed()) open.push(child);
    if (node.children.length > 0) continue;
    const chain = turnsUpTo(node);
    if (chain.length > 0) chains.push(chain);
  }
  return chains;
}

function turnsUpTo(leaf: MessageNode): Turn[] {
  const turns: Turn[] = [];
  for (let node: MessageNode | undefined = leaf; node !== undefined; node = node.parent) {
    if (node.turn !== undefined) turns.push(node.turn);
  }
  return turns.toReversed();
}
