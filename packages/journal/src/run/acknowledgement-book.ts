/** Which of the items that were handed out have not been acknowledged; writes each acknowledgement down once. */
export class AcknowledgementBook {
  readonly #write: (index: number) => Promise<void>;
  readonly #handedOut = new Set<number>();
  readonly #written = new Map<number, Promise<void>>();
  #onEmptied: (() => Promise<void>) | undefined;

  constructor(write: (index: number) => Promise<void>) {
    this.#write = write;
  }

  get isEmpty(): boolean {
    return this.#handedOut.size === 0;
  }

  /** Nothing more will be handed out: the acknowledgement that empties it resolves only after this. */
  onEmptied(end: () => Promise<void>): void {
    this.#onEmptied = end;
  }

  handOut(index: number): void {
    this.#handedOut.add(index);
  }

  /** Resolves when it is written down; a second call for an item does nothing more. */
  acknowledge(index: number): Promise<void> {
    const known = this.#written.get(index);
    if (known !== undefined) return known;
    if (!this.#handedOut.has(index)) return Promise.resolve();
    const written = this.#acknowledgeOnce(index);
    this.#written.set(index, written);
    // Whoever waits for it hears of a failure, and the run itself does.
    written.catch(() => undefined);
    return written;
  }

  async #acknowledgeOnce(index: number): Promise<void> {
    await this.#write(index);
    this.#handedOut.delete(index);
    if (this.isEmpty) await this.#onEmptied?.();
    this.#written.delete(index);
  }
}
