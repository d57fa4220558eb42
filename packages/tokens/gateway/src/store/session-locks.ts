/** Lets one at a time work on a session, in the order in which they came; on different sessions they work side by side. */
export class SessionLocks {
  /** For each session the end of the work that was asked for last. */
  readonly #last = new Map<string, Promise<void>>();

  /** True if some work holds a session, or waits for it. */
  isHeld(sessionId: string): boolean {
    return this.#last.has(sessionId);
  }

  /** Works on some sessions once all that came before is done with them. A session that is not held is taken at once. */
  async run<Result>(sessionIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const before = sessionIds.map((sessionId) => this.#last.get(sessionId));
    const { promise: done, resolve } = Promise.withResolvers<void>();
    for (const sessionId of sessionIds) this.#last.set(sessionId, done);
    try {
      for (const earlier of before) await earlier;
      return await work();
    } finally {
      for (const sessionId of sessionIds) {
        if (this.#last.get(sessionId) === done) this.#last.delete(sessionId);
      }
      resolve();
    }
  }

  /** Resolves when everything that was asked for before is done. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
