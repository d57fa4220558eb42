import type { PrefixNode } from './prefix-tree.ts';
import { textTree } from './text-tree.ts';
import { tokenCount, tokenTree } from './token-tree.ts';
import type { Turn } from './turn.ts';

/** A turn in the tree of token sequences. */
export interface TokenNode {
  readonly turn: Turn;
  /** The turn whose prompt and answer this one's sequence begins with. */
  readonly parent: TokenNode | undefined;
  /** Tokens that the model was given after the parent's answer; for a root the whole prompt. */
  readonly context: Int32Array;
  readonly children: TokenNode[];
  /** True if a turn continues from it by its texts, though not by its tokens. */
  hasDrifted: boolean;
  /** The same for turns whose prompts are the same. */
  readonly prompt: string;
}

/**
 * Puts the turns that train into a tree by their tokens: a turn goes below the one whose prompt and answer are the longest
 * beginning of its prompt. Of several with the very same tokens it goes below one that others have gone on from, else the
 * latest: an agent that asks again has lost the answers before.
 * @param turns all turns of a session
 * @returns all nodes in the order of the turns
 */
export function buildExactTree(turns: readonly Turn[]): TokenNode[] {
  const captures = turns.map(({ capture }) => capture);
  const tokens = tokenTree(captures);
  const byTokens = new Map<PrefixNode, TokenNode[]>();
  const texts = textTree(captures);
  const byTexts = new Map<PrefixNode, TokenNode[]>();
  const nodes: TokenNode[] = [];
  for (const turn of turns) {
    if (turn.masked !== undefined) continue;
    const { promptTokenIds, messages } = turn.capture;
    const parent = continued(nearest(byTokens, tokens.endsBefore(turn.index, promptTokenIds.length)));
    const textParent = nearest(byTexts, texts.endsBefore(turn.index, messages.length))?.at(-1);
    if (textParent !== undefined && isBelow(textParent, parent)) textParent.hasDrifted = true;
    const context = promptTokenIds.subarray(parent === undefined ? 0 : tokenCount(parent.turn.capture));
    const { node: stretch, depth } = tokens.placeOf(turn.index, promptTokenIds.length);
    const prompt = `${stretch.owner}:${depth}`;
    const node: TokenNode = { turn, parent, context, children: [], hasDrifted: false, prompt };
    parent?.children.push(node);
    nodes.push(node);
    note(byTokens, tokens.endOf(turn.index), node);
    note(byTexts, texts.endOf(turn.index), node);
  }
  return nodes;
}

function note(turns: Map<PrefixNode, TokenNode[]>, end: PrefixNode, node: TokenNode): void {
  const there = turns.get(end);
  if (there === undefined) turns.set(end, [node]);
  else there.push(node);
}

function nearest(
  turns: ReadonlyMap<PrefixNode, TokenNode[]>,
  ends: Iterable<PrefixNode>,
): TokenNode[] | undefined {
  for (const end of ends) {
    const there = turns.get(end);
    if (there !== undefined) return there;
  }
  return undefined;
}

function continued(same: readonly TokenNode[] | undefined): TokenNode | undefined {
  return same?.findLast(isExtended) ?? same?.at(-1);
}

/** True if anything continues from a node. */
function isExtended(node: TokenNode): boolean {
  return node.children.length > 0 || node.hasDrifted;
}

/** True if a node is somewhere below another one; below none is everything. */
function isBelow(node: TokenNode, above: TokenNode | undefined): boolean {
  if (above === undefined) return true;
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at === above) return true;
  }
  return false;
}

/**
 * Answers that the agent left for another answer to the same prompt. An answer is left only where the other one was gone on
 * from: as long as nothing was, all of them may have been used.
 */
export function findAbandoned(nodes: readonly TokenNode[]): Set<TokenNode> {
  const extended = new Set(nodes.filter(isExtended).map((node) => node.prompt));
  return new Set(nodes.filter((node) => !isExtended(node) && extended.has(node.prompt)));
}
