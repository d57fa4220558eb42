/**
 * The runs that a wire has accepted, by a key of the wire's: each begins once, however many requests ask for it.
 * `R`: what a wire answers requests from.
 */
export class AcceptedRuns<R> {
  readonly #accepted = new Map<string, Promise<R>>();
  readonly #ended: string[] = [];
  readonly #mostEnded: number;

  /** @param mostEnded how many that have ended are remembered */
  constructor(mostEnded: number) {
    this.#mostEnded = mostEnded;
  }

  /**
   * Begins a run unless its key is known.
   * @throws what `begin` throws; then it is not known, and may come again
   */
  async accept(key: string, begin: () => Promise<R>): Promise<R> {
    for (;;) {
      // Nothing may wait between these two, or equal requests would both get through.
      const known = this.#accepted.get(key);
      const accepting = known ?? this.#begin(key, begin);
      try {
        return await accepting;
      } catch (error) {
        // What kept another request from starting says nothing of this one.
        if (known === undefined) throw error;
      }
    }
  }

  /** Undefined where no run of this key is known, or where it could not begin. */
  async find(key: string): Promise<R | undefined> {
    try {
      return await this.#accepted.get(key);
    } catch {
      return undefined;
    }
  }

  /** A run has ended: it is remembered until as many others have. */
  end(key: string): void {
    this.#ended.push(key);
    if (this.#ended.length > this.#mostEnded) this.#accepted.delete(this.#ended.shift()!);
  }

  #begin(key: string, begin: () => Promise<R>): Promise<R> {
    const accepting = begin();
    this.#accepted.set(key, accepting);
    // Before anybody else hears of it.
    accepting.catch(() => this.#accepted.delete(key));
    return accepting;
  }
}
