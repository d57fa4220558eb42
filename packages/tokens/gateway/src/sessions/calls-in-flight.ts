/** Makes a call end soon, because the gateway closes or its session was finished. */
export type CancelCall = (reason: 'closing' | 'finished') => void;

/** The calls under way, of the gateway or of one session, and a way to wait until there is none. */
export class CallsInFlight {
  readonly #waiting = new Set<() => void>();
  readonly #cancels = new Set<CancelCall>();
  #isClosing = false;

  /** True if no more calls are taken. */
  get closing(): boolean {
    return this.#isClosing;
  }

  /** Takes no more calls; those under way continue. */
  close(): void {
    this.#isClosing = true;
  }

  get total(): number {
    return this.#cancels.size;
  }

  /**
   * Counts a call until the function that is returned is called.
   * @param cancel makes the call end soon; its own function for each call
   */
  enter(cancel: CancelCall): () => void {
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      if (this.total === 0) for (const resolve of this.#waiting) resolve();
    };
  }

  /** Makes all calls end soon. */
  cancelAll(reason: 'closing' | 'finished'): void {
    for (const cancel of this.#cancels) cancel(reason);
  }

  /** Waits until no call is under way; false if that took too long. */
  idle(timeoutMs: number): Promise<boolean> {
    if (this.total === 0) return Promise.resolve(true);
    if (timeoutMs <= 0) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const finish = (idle: boolean): void => {
      clearTimeout(timer);
      this.#waiting.delete(isIdle);
      resolve(idle);
    };
    const isIdle = (): void => finish(true);
    const timer = setTimeout(finish, timeoutMs, false);
    this.#waiting.add(isIdle);
    return promise;
  }
}
