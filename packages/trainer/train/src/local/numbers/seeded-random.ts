/** Numbers that look random and are the same for the same seed. Mulberry32: small, and good enough for a small model. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, exclusive. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A sample of the normal distribution with mean 0 and deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

/** One seed of several numbers. Neighbours give seeds that have nothing in common. */
export function mixSeeds(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ (number >>> 0), 0x01000193);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
