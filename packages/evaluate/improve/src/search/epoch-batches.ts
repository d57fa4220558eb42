import { shuffled } from './shuffled.ts';

/**
 * Minibatches of training tasks, as the epoch-shuffled sampler of GEPA gives them: each epoch has every task once, in an order of
 * chance, and is filled up to whole minibatches with the tasks that it has least often. So a minibatch of few tasks can have one twice.
 */
export class EpochBatches {
  readonly #count: number;
  readonly #size: number;
  readonly #random: () => number;
  #order: number[] = [];
  #epoch = -1;

  /** @param count of the tasks @param size of a minibatch @param random numbers from 0 up to 1 */
  constructor(count: number, size: number, random: () => number) {
    this.#count = count;
    this.#size = size;
    this.#random = random;
  }

  /** Positions of the tasks of an iteration, from 0. To be asked for in the order of the iterations. */
  at(iteration: number): number[] {
    const first = iteration * this.#size;
    const epoch = this.#epoch === -1 ? 0 : Math.floor(first / this.#order.length);
    if (epoch > this.#epoch) {
      this.#epoch = epoch;
      this.#order = this.#newOrder();
    }
    const from = first % this.#order.length;
    return this.#order.slice(from, from + this.#size);
  }

  #newOrder(): number[] {
    const order = shuffled(
      Array.from({ length: this.#count }, (_, at) => at),
      this.#random,
    );
    const counts = new Map(order.map((task) => [task, 1]));
    while (order.length % this.#size !== 0) {
      const fewest = Math.min(...counts.values());
      const [rarest] = [...counts].findLast(([, count]) => count === fewest)!;
      order.push(rarest);
      counts.set(rarest, fewest + 1);
    }
    return order;
  }
}
