/** Lets samples begin: so many at a time, none while it is paused. */
export class Gate {
  #limit: number;
  #isPaused = false;
  #sessions = 0;
  #backlog = 0;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#wake?.();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  set isPaused(isPaused: boolean) {
    this.#isPaused = isPaused;
    this.#wake?.();
  }

  /** Takes a session, and a place among what is not yet written down. One caller at a time. @throws the signal's reason */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (!this.#hasRoom) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#wake = resolve;
      try {
        await promise;
      } finally {
        this.#wake = undefined;
        signal.removeEventListener('abort', onAbort);
      }
    }
    this.take();
  }

  /** The same without waiting, for a session that is there already. */
  take(): void {
    this.#sessions += 1;
    this.#backlog += 1;
  }

  /** The session has gone. */
  sessionEnded(): void {
    this.#sessions -= 1;
    this.#wake?.();
  }

  /** The sample is written down. */
  recorded(): void {
    this.#backlog -= 1;
    this.#wake?.();
  }

  get #hasRoom(): boolean {
    // A judge that is slower than the agent holds the agent up before its samples fill the memory.
    return !this.#isPaused && this.#sessions < this.#limit && this.#backlog < 3 * this.#limit + 16;
  }
}
