/** What is settled and waits for the consumer of a run. */
export class Outbox<Item> {
  /** Told that there is room again. */
  onTaken: () => void = () => undefined;
  readonly #items: Item[] = [];
  readonly #heldBack: Item[] = [];
  #wake: () => void = () => undefined;

  /** Of what can be taken. */
  get size(): number {
    return this.#items.length;
  }

  get holdsBack(): boolean {
    return this.#heldBack.length > 0;
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
    if (!this.holdsBack) return;
    this.#items.push(...this.#heldBack.splice(0));
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
