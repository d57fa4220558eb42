/**
 * Which worker a session went to, so that its next call finds the prefix in the same engine's cache. The sessions that
 * were used least recently are forgotten first.
 */
export class StickySessions {
  readonly #workers = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #limit: number;

  /** @param limit how many sessions are remembered */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** The URL of the session's worker. */
  get(sessionId: string): string | undefined {
    const url = this.#workers.get(sessionId);
    if (url === undefined) return undefined;
    this.#workers.delete(sessionId);
    this.#workers.set(sessionId, url);
    return url;
  }

  set(sessionId: string, url: string): void {
    this.forget(sessionId);
    this.#workers.set(sessionId, url);
    this.#count(url, 1);
    if (this.#workers.size <= this.#limit) return;
    for (const oldest of this.#workers.keys()) {
      this.forget(oldest);
      break;
    }
  }

  forget(sessionId: string): void {
    const url = this.#workers.get(sessionId);
    if (url === undefined) return;
    this.#workers.delete(sessionId);
    this.#count(url, -1);
  }

  /** Only the sessions of this worker lose their place; those of others keep their warm caches. */
  forgetWorker(url: string): void {
    for (const [sessionId, owner] of this.#workers) if (owner === url) this.#workers.delete(sessionId);
    this.#counts.delete(url);
  }

  /** How many remembered sessions a worker has. */
  countOf(url: string): number {
    return this.#counts.get(url) ?? 0;
  }

  #count(url: string, change: number): void {
    this.#counts.set(url, this.countOf(url) + change);
  }
}
