import { createHash } from 'node:crypto';

/**
 * The item of each position of endless data: all items once, in an order that the seed decides, then all again in another. The same for
 * the same seed, so that a run that is gone on with meets what it would have met.
 */
export function dataOrder(items: number, seed: number): (position: number) => number {
  let epoch = -1;
  let order: number[] = [];
  return (position) => {
    const wanted = Math.floor(position / items);
    if (wanted !== epoch) {
      epoch = wanted;
      const ranks = Array.from({ length: items }, (_, item) =>
        createHash('sha256').update(`${seed} ${wanted} ${item}`).digest('hex'),
      );
      order = Array.from(ranks.keys()).toSorted((one, other) => (ranks[one]! < ranks[other]! ? -1 : 1));
    }
    return order[position % items]!;
  };
}
