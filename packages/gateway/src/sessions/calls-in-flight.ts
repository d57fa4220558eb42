/** Makes a call end soon, because the gateway closes or its session was finished. */
export type CancelCall = (reason: 'closing' | 'finished') => void;

/** Which calls are under way, and a way to wait until none is. */
export class CallsInFlight {
  readonly #bySession = new Map<string, Set<CancelCall>>();
  readonly #waiting = new Set<() => void>();
  readonly #cancels = new Set<CancelCall>();
  #state: 'open' | 'closing' = 'open';

  /** Whether no more calls are taken. */
  get closing(): boolean {
    return this.#state === 'closing';
  }

  /** Takes no more calls; those under way go on. */
  close(): void {
    this.#state = 'closing';
  }

  get total(): number {
    return this.#cancels.size;
  }

  countOf(sessionId: string): number {
    return this.#bySession.get(sessionId)?.size ?? 0;
  }

  /**
   * Counts a call until the function that is returned is called.
   * @param cancel makes the call end soon; a function of its own for each call
   */
  enter(sessionId: string | undefined, cancel: CancelCall): () => void {
    this.#cancels.add(cancel);
    if (sessionId !== undefined) this.#enterSession(sessionId, cancel);
    return () => {
      if (!this.#cancels.delete(cancel)) return;
      if (sessionId !== undefined) this.#leaveSession(sessionId, cancel);
      for (const check of this.#waiting) check();
    };
  }

  /** Makes all calls end soon. */
  cancelAll(): void {
    for (const cancel of this.#cancels) cancel('closing');
  }

  /** Makes the calls of a session end soon. */
  cancelSession(sessionId: string): void {
    for (const cancel of this.#bySession.get(sessionId) ?? []) cancel('finished');
  }

  /** Waits until no call is under way; false if that took too long. */
  idle(timeoutMs: number): Promise<boolean> {
    return this.#until(() => this.total === 0, timeoutMs);
  }

  /** Waits until no call of the session is under way; false if that took too long or the signal was aborted. */
  sessionIdle(sessionId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.#until(() => this.countOf(sessionId) === 0, timeoutMs, signal);
  }

  #until(isIdle: () => boolean, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (isIdle()) return Promise.resolve(true);
    if (timeoutMs <= 0 || signal?.aborted === true) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const finish = (idle: boolean): void => {
      clearTimeout(timer);
      this.#waiting.delete(check);
      signal?.removeEventListener('abort', giveUp);
      resolve(idle);
    };
    const giveUp = (): void => finish(false);
    const check = (): void => {
      if (isIdle()) finish(true);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    this.#waiting.add(check);
    signal?.addEventListener('abort', giveUp);
    return promise;
  }

  #enterSession(sessionId: string, cancel: CancelCall): void {
    const calls = this.#bySession.get(sessionId);
    if (calls === undefined) this.#bySession.set(sessionId, new Set([cancel]));
    else calls.add(cancel);
  }

  #leaveSession(sessionId: string, cancel: CancelCall): void {
    const calls = this.#bySession.get(sessionId);
    calls?.delete(cancel);
    if (calls?.size === 0) this.#bySession.delete(sessionId);
  }
}
