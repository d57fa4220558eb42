import { createHash } from 'node:crypto';
import { seededNumbers } from '@art/tooling/seeded-numbers';

/** Numbers that follow from a seed and a purpose alone, so that one purpose does not disturb another's. */
export class SeededRandom {
  /** From 0, inclusive, to 1, exclusive. */
  readonly next: () => number;

  constructor(seed: number, ...purpose: readonly (string | number)[]) {
    const digest = createHash('sha256').update(JSON.stringify([seed, ...purpose]));
    this.next = seededNumbers(digest.digest().readUInt32LE(0));
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
