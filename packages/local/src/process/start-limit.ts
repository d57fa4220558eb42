/** Bounds how many agents start at the same time, so that a burst of sessions does not trample the machine. */
export class StartLimit {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Resolves, first come first served, with the function that gives the place back; calling it twice does no harm.
   * @throws the signal's reason when it aborts first.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#active >= this.#limit) await this.#wait(signal);
    else this.#active += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      // The place goes from hand to hand: a newcomer cannot slip in between.
      if (next === undefined) this.#active -= 1;
      else next();
    };
  }

  #wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onTurn = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(onTurn);
    return promise;
  }
}
