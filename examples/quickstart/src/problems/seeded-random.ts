import { createHash } from 'node:crypto';

/**
 * Random numbers that depend on the seed alone: the same seed gives the same numbers on every machine.
 * The generator is sfc32; not for secrets.
 */
export class SeededRandom {
  readonly #state: Uint32Array;

  /** @param seed Any number of parts; each of them matters. */
  constructor(...seed: readonly (string | number)[]) {
    const digest = createHash('sha256').update(JSON.stringify(seed)).digest();
    this.#state = Uint32Array.from({ length: 4 }, (_, index) => digest.readUInt32LE(index * 4));
  }

  /** Uniform in [0, 1). */
  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const sum = (a + b + counter) >>> 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    state[3] = counter + 1;
    return sum / 2 ** 32;
  }

  /** Uniform among the integers from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** One element of a list that has any. */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('Expected a list to pick from, got an empty one.');
    return items[this.integer(0, items.length - 1)] as Item;
  }
}
