/** What is settled and waits for the consumer of a run. */
export class Outbox<Item> {
  /** Told that there is room again. */
  onTaken: () => void = () => undefined;
  readonly #items: Item[] = [];
  #wake: () => void = () => undefined;

  get size(): number {
    return this.#items.length;
  }

  push(...items: Item[]): void {
    this.#items.push(...items);
    this.#wake();
  }

  take(): Item | undefined {
    const item = this.#items.shift();
    if (item !== undefined) this.onTaken();
    return item;
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
