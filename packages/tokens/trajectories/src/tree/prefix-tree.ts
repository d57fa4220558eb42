/** A stretch of one or more sequences: their items from the end of the parent up to `end`. */
export interface PrefixNode {
  parent: PrefixNode | undefined;
  /** A sequence that has these items, the first one that was added; -1 for the root, which has none. */
  readonly owner: number;
  readonly end: number;
  readonly children: PrefixNode[];
}

/** How far a sequence is that of others: its first `depth` items are those of `node.owner`. */
export interface PrefixPlace {
  readonly node: PrefixNode;
  /** Behind the parent of `node`, and not behind its `end`. */
  readonly depth: number;
}

/** How many items of a sequence in the tree, from `from` up to `to`, equal those of the one that is looked for. */
export type CommonItems = (owner: number, from: number, to: number) => number;

/**
 * Sequences by their common beginnings (a radix tree): which earlier one does a new one continue from, and how many items have
 * they in common? Looking costs one pass over the new sequence. The items stay with anyone who has them.
 */
export class PrefixTree {
  readonly #root: PrefixNode = { parent: undefined, owner: -1, end: 0, children: [] };
  /** Where each sequence ends. */
  readonly #ends: PrefixNode[] = [];

  /** The place of which nothing is known yet. */
  get start(): PrefixPlace {
    return { node: this.#root, depth: 0 };
  }

  /** The place behind the first `depth` items of a sequence in the tree; -1 for the root. */
  placeOf(sequence: number, depth: number): PrefixPlace {
    let node = this.#ends[sequence] ?? this.#root;
    while (node.parent !== undefined && node.parent.end >= depth) node = node.parent;
    return { node, depth };
  }

  /** Continues from a place as long as a sequence of `length` items is that of others. */
  follow(from: PrefixPlace, length: number, common: CommonItems): PrefixPlace {
    let { node, depth } = from;
    while (depth < length) {
      let shared = 0;
      for (const next of depth < node.end ? [node] : node.children) {
        shared = common(next.owner, depth, Math.min(next.end, length));
        if (shared === 0) continue;
        node = next;
        break;
      }
      if (shared === 0) break;
      depth += shared;
    }
    return { node, depth };
  }

  /**
   * The nodes on the way of a sequence of `length` items, as far as they fit into it whole, by a rule of the caller's: where
   * two items may be the same that are not equal, there are several ways.
   * @param isSame whether an item of a sequence in the tree is that of the one that is looked for
   */
  matching(length: number, isSame: (owner: number, at: number) => boolean): ReadonlySet<PrefixNode> {
    const found = new Set<PrefixNode>();
    const ahead = [this.#root];
    // Not by recursion: a conversation may have thousands of turns.
    for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
      found.add(node);
      for (const child of node.children) {
        let at = node.end;
        while (at < child.end && child.end <= length && isSame(child.owner, at)) at += 1;
        if (at === child.end) ahead.push(child);
      }
    }
    return found;
  }

  /** Adds the next sequence, of `length` items, which goes its own way from a place on. */
  add(from: PrefixPlace, length: number): void {
    let end = from.depth === from.node.end ? from.node : split(from);
    if (length > from.depth) {
      const own: PrefixNode = { parent: end, owner: this.#ends.length, end: length, children: [] };
      end.children.push(own);
      end = own;
    }
    this.#ends.push(end);
  }

  /** The ends of all sequences that are the beginning of the first `depth` items of this one, the longest first. */
  *endsBefore(sequence: number, depth: number): Generator<PrefixNode, void, void> {
    const { node } = this.placeOf(sequence, depth);
    let at = node.end > depth ? node.parent : node;
    for (; at !== undefined; at = at.parent) yield at;
  }

  /** Where a sequence ends. Stays the same when others are added. */
  endOf(sequence: number): PrefixNode {
    return this.#ends[sequence]!;
  }
}

function split({ node, depth }: PrefixPlace): PrefixNode {
  const parent = node.parent!;
  const upper: PrefixNode = { parent, owner: node.owner, end: depth, children: [node] };
  parent.children[parent.children.indexOf(node)] = upper;
  node.parent = upper;
  return upper;
}
