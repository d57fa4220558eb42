import type { Clock } from '@art/async';

const slowSourceMs = 100;

/** Settled items that wait for the consumer of a run. */
export class Outbox<Item> {
  readonly #items: Item[] = [];
  readonly #heldBack: Item[] = [];
  #wake: () => void = () => undefined;

  /** How many can be taken. */
  get size(): number {
    return this.#items.length;
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Adds an item that cannot be taken before `release`. */
  holdBack(item: Item): void {
    this.#heldBack.push(item);
  }

  release(): void {
    if (this.#heldBack.length === 0) return;
    this.#items.push(...this.#heldBack.splice(0));
    this.#wake();
  }

  /**
   * Waits for data that may itself wait for the results of earlier items: it must not wait for what is held back.
   * @param isIdle whether nothing is under way that would release it
   */
  async whileWaiting<Value>(take: () => Promise<Value>, isIdle: boolean, clock: Clock): Promise<Value> {
    if (!isIdle || this.#heldBack.length === 0) return await take();
    const cancel = clock.after(slowSourceMs, () => this.release());
    try {
      return await take();
    } finally {
      cancel();
    }
  }

  take(): Item | undefined {
    return this.#items.shift();
  }

  /** Lets the consumer look again. */
  wake(): void {
    this.#wake();
  }

  /** Resolves when there may be something new to see. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
