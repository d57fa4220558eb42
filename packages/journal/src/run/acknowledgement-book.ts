/** Which of the items that were handed out have not been acknowledged; writes each acknowledgement down once. */
export class AcknowledgementBook {
  readonly #write: (index: number) => Promise<void>;
  readonly #handedOut = new Set<number>();
  readonly #written = new Map<number, Promise<void>>();
  readonly #emptied = Promise.withResolvers<void>();
  #isOver = false;

  constructor(write: (index: number) => Promise<void>) {
    this.#write = write;
  }

  get isEmpty(): boolean {
    return this.#handedOut.size === 0;
  }

  /** Nothing more will be handed out: resolves when all that was is acknowledged. */
  emptied(): Promise<void> {
    this.#isOver = true;
    if (this.isEmpty) this.#emptied.resolve();
    return this.#emptied.promise;
  }

  handOut(index: number): void {
    this.#handedOut.add(index);
  }

  /** Resolves when it is written down; a second call for an item does nothing more. */
  acknowledge(index: number): Promise<void> {
    let written = this.#written.get(index);
    if (written === undefined) {
      if (!this.#handedOut.has(index)) return Promise.resolve();
      written = this.#write(index);
      this.#written.set(index, written);
      void written.then(
        () => {
          this.#handedOut.delete(index);
          this.#written.delete(index);
          if (this.#isOver && this.isEmpty) this.#emptied.resolve();
        },
        () => undefined,
      );
    }
    return written;
  }
}
