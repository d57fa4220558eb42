// Below this the work takes a fraction of a millisecond, less than waiting for a turn may cost.
const heavyBytes = 65_536;

/**
 * Spreads the reading of large bodies over the turns of the event loop, one a turn: when hundreds of replies arrive
 * together, pings, streams and other calls still get their share in between. The first of a turn does not wait.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves when work on so many bytes may begin; the caller then does it without awaiting anything in between. */
  async take(bytes: number): Promise<void> {
    if (bytes < heavyBytes) return;
    if (this.#isTaken) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
      return;
    }
    this.#isTaken = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift();
    if (begin === undefined) {
      this.#isTaken = false;
      return;
    }
    setImmediate(this.#next);
    begin();
  };
}
