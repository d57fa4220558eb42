/** Source of the tasks' random choices. The same seed gives the same. */
export interface Random {
  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** So many different ones. */
  pick<Item>(items: readonly Item[], count: number): Item[];
}

export function seededRandom(seed: number): Random {
  // mulberry32
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items, count) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, count)
        .map(({ item }) => item),
  };
}
