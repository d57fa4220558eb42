/**
 * Lets groups start, in the order of the data, as long as fewer than `most` are started and not trained. So a row is bounded in its
 * age without anything being thrown away for it: throwing away what is old throws away what took long.
 */
export class Admission<Input> implements AsyncIterable<Input> {
  readonly #inputAt: (position: number) => Input;
  readonly #most: number;
  readonly #done: Set<number>;
  #position: number;
  #open = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;

  /**
   * @param inputAt the input of a position in the data
   * @param from the first position that was not trained yet
   * @param trainedAhead positions behind `from` that were
   */
  constructor(
    inputAt: (position: number) => Input,
    { most, from, trainedAhead }: { most: number; from: number; trainedAhead: readonly number[] },
  ) {
    this.#inputAt = inputAt;
    this.#most = most;
    this.#position = from;
    this.#done = new Set(trainedAhead);
  }

  /** Positions of the groups that were started, in order. */
  readonly started: number[] = [];

  /** Makes room: so many groups have been trained, and the weights that came of them are served. */
  release(groups: number): void {
    this.#open -= groups;
    this.#wake?.();
  }

  /** No further group starts. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Input> {
    return {
      next: async () => {
        while (!this.#isClosed && this.#open >= this.#most) {
          const { promise, resolve } = Promise.withResolvers<void>();
          this.#wake = resolve;
          await promise;
        }
        if (this.#isClosed) return { done: true, value: undefined };
        while (this.#done.has(this.#position)) this.#position += 1;
        const position = this.#position;
        this.#position += 1;
        this.#open += 1;
        this.started.push(position);
        return { done: false, value: this.#inputAt(position) };
      },
      return: () => {
        this.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}
