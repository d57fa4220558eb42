import type { Capture } from '../captures/capture.ts';
import { PrefixTree } from './prefix-tree.ts';

/**
 * The tokens of a session's captures, prompt and answer, by their common beginnings. Where a store has found a capture's beginning,
 * only what follows is compared; the others, of JSONL or of another gateway, are compared from their first token on.
 */
export function tokenTree(captures: readonly Capture[]): PrefixTree {
  const tree = new PrefixTree();
  const places = new Map<string | undefined, number>([[undefined, -1]]);
  for (const [index, capture] of captures.entries()) {
    const parent = capture.prefix && places.get(capture.prefix.captureId);
    const known = parent === undefined ? tree.start : tree.placeOf(parent, capture.prefix!.kept);
    const common = (owner: number, from: number, to: number): number =>
      commonTokens(captures[owner]!, capture, from, to);
    tree.add(tree.follow(known, tokenCount(capture), common), tokenCount(capture));
    places.set(capture.captureId, index);
  }
  return tree;
}

/** How many tokens a capture's prompt and answer have together. */
export function tokenCount({ promptTokenIds, completionTokenIds }: Capture): number {
  return promptTokenIds.length + completionTokenIds.length;
}

function commonTokens(left: Capture, right: Capture, from: number, to: number): number {
  let at = from;
  while (at < to && tokenAt(left, at) === tokenAt(right, at)) at += 1;
  return at - from;
}

function tokenAt({ promptTokenIds, completionTokenIds }: Capture, index: number): number | undefined {
  return index < promptTokenIds.length
    ? promptTokenIds[index]
    : completionTokenIds[index - promptTokenIds.length];
}
