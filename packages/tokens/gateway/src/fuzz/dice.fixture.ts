import { seededNumbers } from '@art/tooling/seeded-numbers';

/** Choices that are the same for the same seed. */
export class Dice {
  /** From 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededNumbers(seed);
  }

  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.int(0, items.length - 1)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    return items.map(() => left.splice(this.int(0, left.length - 1), 1)[0] as Item);
  }

  /** Places to cut something of this length at, in order. */
  cuts(length: number, most: number): number[] {
    return Array.from({ length: this.int(0, most) }, () => this.int(0, length)).toSorted((a, b) => a - b);
  }
}
