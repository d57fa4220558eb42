/** Numbers that look random and follow from the seeds alone (mulberry32). */
export class SeededRandom {
  #state = 0x9e37_79b9;

  constructor(...seeds: readonly number[]) {
    for (const seed of seeds) {
      this.#state = Math.imul(this.#state ^ seed, 0x85eb_ca6b) >>> 0;
      this.next();
    }
  }

  /** From 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}
