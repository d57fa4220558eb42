import type { Trace } from '../traces/trace.ts';
import { PrefixTree } from './prefix-tree.ts';

/**
 * The tokens of a session's traces, prompt and answer, by their common beginnings. Where a store has found a trace's beginning,
 * only what follows is compared; the others, of JSONL or of another gateway, are compared from their first token on.
 */
export function tokenTree(traces: readonly Trace[]): PrefixTree {
  const tree = new PrefixTree();
  const places = new Map<string | undefined, number>([[undefined, -1]]);
  for (const [index, trace] of traces.entries()) {
    const parent = trace.prefix && places.get(trace.prefix.traceId);
    const known = parent === undefined ? tree.start : tree.placeOf(parent, trace.prefix!.kept);
    const common = (owner: number, from: number, to: number): number =>
      commonTokens(traces[owner]!, trace, from, to);
    tree.add(tree.follow(known, tokenCount(trace), common), tokenCount(trace));
    places.set(trace.traceId, index);
  }
  return tree;
}

/** How many tokens a trace's prompt and answer have together. */
export function tokenCount({ promptTokenIds, completionTokenIds }: Trace): number {
  return promptTokenIds.length + completionTokenIds.length;
}

function commonTokens(left: Trace, right: Trace, from: number, to: number): number {
  let at = from;
  while (at < to && tokenAt(left, at) === tokenAt(right, at)) at += 1;
  return at - from;
}

function tokenAt({ promptTokenIds, completionTokenIds }: Trace, index: number): number | undefined {
  return index < promptTokenIds.length
    ? promptTokenIds[index]
    : completionTokenIds[index - promptTokenIds.length];
}
