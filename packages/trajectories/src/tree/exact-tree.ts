import { MessageLineage } from './message-lineage.ts';
import { beginsWith } from '../messages/token-prefix.ts';
import type { Turn } from './turn.ts';

/** A turn in the tree of token sequences. */
export interface TokenNode {
  readonly turn: Turn;
  /** The turn whose prompt and answer this one's sequence begins with. */
  readonly parent: TokenNode | undefined;
  /** What the model was given after the parent's answer; for a root the whole prompt. */
  readonly context: Int32Array;
  readonly children: TokenNode[];
  /** Whether a turn goes on from it by its texts, though not by its tokens. */
  hasDrifted: boolean;
}

/**
 * Puts the turns that train into a tree by their tokens: a turn goes below the one whose prompt and answer are the longest
 * beginning of its prompt. Of several with the very same tokens it goes below one that others have gone on from, else the
 * latest: an agent that asks again has lost the answers before.
 * @returns all nodes in the order of the turns
 */
export function buildExactTree(turns: readonly Turn[]): TokenNode[] {
  const lineage = new MessageLineage();
  const nodes: TokenNode[] = [];
  const byTurn = new Map<Turn, TokenNode>();
  for (const turn of turns) {
    if (turn.masked !== undefined) continue;
    const byTokens = findParent(nodes, turn.trace.promptTokenIds);
    const parentTurn = lineage.parentOf(turn);
    const byText = parentTurn === undefined ? undefined : byTurn.get(parentTurn);
    if (byText !== undefined && isBelow(byText, byTokens)) byText.hasDrifted = true;
    const node = place(turn, byTokens);
    node.parent?.children.push(node);
    nodes.push(node);
    byTurn.set(turn, node);
    lineage.add(turn);
  }
  return nodes;
}

function place(turn: Turn, parent: TokenNode | undefined): TokenNode {
  const taken = parent === undefined ? 0 : lengthOf(parent);
  return {
    turn,
    parent,
    context: turn.trace.promptTokenIds.subarray(taken),
    children: [],
    hasDrifted: false,
  };
}

function findParent(nodes: readonly TokenNode[], prompt: Int32Array): TokenNode | undefined {
  let best: TokenNode | undefined;
  // From the latest, which usually is the parent: all that are shorter need not be looked at then.
  for (let at = nodes.length - 1; at >= 0; at -= 1) {
    const node = nodes[at];
    if (node === undefined) continue;
    if (best !== undefined) {
      if (lengthOf(node) < lengthOf(best)) continue;
      // The same tokens twice: the later one, unless only the earlier one was gone on from.
      if (lengthOf(node) === lengthOf(best) && (isExtended(best) || !isExtended(node))) continue;
    }
    const { promptTokenIds, completionTokenIds } = node.turn.trace;
    if (beginsWith(prompt, promptTokenIds, completionTokenIds)) best = node;
  }
  return best;
}

/** Whether anything goes on from a node. */
export function isExtended(node: TokenNode | undefined): boolean {
  return node !== undefined && (node.children.length > 0 || node.hasDrifted);
}

/** Whether a node is somewhere below another one; below none is everything. */
function isBelow(node: TokenNode, above: TokenNode | undefined): boolean {
  if (above === undefined) return true;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at === above) return true;
  }
  return false;
}

function lengthOf({ turn }: TokenNode): number {
  return turn.trace.promptTokenIds.length + turn.trace.completionTokenIds.length;
}
