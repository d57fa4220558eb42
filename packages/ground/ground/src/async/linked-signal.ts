/** A signal that follows several others, and the way to let go of them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts the linked signal itself. */
  abort(reason: unknown): void;
  /** Removes the listeners. `AbortSignal.any` has no such thing, and a batch links thousands to one long-lived signal. */
  unlink(): void;
}

/** Links signals: the result aborts with the first reason of any of them. */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  return new Link(sources);
}

// There is one for each call that waits, thousands of them: one listener serves all sources.
class Link implements LinkedSignal {
  readonly #controller = new AbortController();
  #sources: readonly (AbortSignal | undefined)[];

  constructor(sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources;
    const aborted = sources.find((source) => source?.aborted === true);
    if (aborted !== undefined) this.abort(aborted.reason);
    else for (const source of sources) source?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  unlink(): void {
    for (const source of this.#sources) source?.removeEventListener('abort', this.#follow);
    this.#sources = [];
  }

  readonly #follow = (event: Event): void => this.abort((event.target as AbortSignal).reason);
}
