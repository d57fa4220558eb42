/** A sequence that is kept as what it adds to the beginning of an earlier one. */
export interface PrefixNode {
  /** Index of the earlier sequence, -1 for none. */
  readonly parent: number;
  /** How many of its items this one begins with. */
  readonly kept: number;
  /** How many items it has in all. */
  readonly count: number;
}

/** The chain of earlier sequences, as `longestPrefix` walks it. */
export interface PrefixChain {
  readonly length: number;
  node(index: number): PrefixNode;
  /** How many items that the sequence itself holds, behind the kept ones, equal the new sequence from `kept` on. */
  commonOwn(index: number): number;
}

/** An earlier sequence and how much of the new one it begins with. */
export interface PrefixMatch {
  /** -1 where nothing is shared. */
  parent: number;
  kept: number;
}

// A conversation continues one of its last turns. Sessions with many parallel ones, or none at all, must not make an
// append cost the whole session.
const maxCandidates = 64;

/**
 * Finds the sequence that shares the longest beginning with a new one, looking at the newest first and ending at the
 * first that the new one continues entirely. Each sequence is compared once, so that a chain of turns costs one pass over
 * the tokens and not one for each turn.
 */
export function longestPrefix(chain: PrefixChain, newCount: number): PrefixMatch {
  const known = new Map<number, number>();
  const best: PrefixMatch = { parent: -1, kept: 0 };
  const last = Math.max(0, chain.length - maxCandidates);
  for (let index = chain.length - 1; index >= last; index -= 1) {
    const shared = sharedWith(chain, index, known);
    if (shared > best.kept) {
      best.parent = index;
      best.kept = shared;
    }
    if (best.kept === newCount || (shared > 0 && shared === chain.node(index).count)) break;
  }
  return best;
}

function sharedWith(chain: PrefixChain, index: number, known: Map<number, number>): number {
  const path: number[] = [];
  let at = index;
  while (at >= 0 && !known.has(at)) {
    path.push(at);
    at = chain.node(at).parent;
  }
  let shared = at < 0 ? 0 : known.get(at)!;
  for (let step = path.length - 1; step >= 0; step -= 1) {
    const { kept } = chain.node(path[step]!);
    if (shared >= kept) shared = kept + chain.commonOwn(path[step]!);
    known.set(path[step]!, shared);
  }
  return shared;
}
