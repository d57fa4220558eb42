import { createHash } from 'node:crypto';

/** Numbers that follow from a seed and a purpose alone, so that one purpose does not disturb another's. */
export class SeededRandom {
  #state: number;

  constructor(seed: number, ...purpose: readonly (string | number)[]) {
    const digest = createHash('sha256').update(JSON.stringify([seed, ...purpose]));
    this.#state = digest.digest().readUInt32LE(0);
  }

  /** From 0, inclusive, to 1, exclusive. */
  next(): number {
    // Mulberry32: small, and good enough to choose faults with.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Both ends included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  /** So many different ones, in any order. */
  sample<T>(values: readonly T[], count: number): T[] {
    const left = [...values];
    const picked: T[] = [];
    while (picked.length < count && left.length > 0)
      picked.push(...left.splice(this.integer(0, left.length - 1), 1));
    return picked;
  }
}
