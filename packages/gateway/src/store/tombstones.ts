/**
 * Why a session is no more. `unknown`: it was deleted before it had been created or had a trace, which keeps out only the
 * calls that were under way.
 */
export type SessionEnd = 'deleted' | 'unknown' | 'evicted' | 'expired';

/** A session that is no more. */
export interface Tombstone {
  readonly end: SessionEnd;
  readonly atMs: number;
}

/** Remembers sessions that are no more, so that a late trace does not bring one back; bounded by count and age. */
export class Tombstones {
  readonly #max: number;
  readonly #ttlMs: number;
  /** In the order of their ends. */
  readonly #stones = new Map<string, Tombstone>();

  constructor(bounds: { maxTombstones: number; tombstoneTtlMs: number }) {
    this.#max = bounds.maxTombstones;
    this.#ttlMs = bounds.tombstoneTtlMs;
  }

  get size(): number {
    return this.#stones.size;
  }

  add(sessionId: string, stone: Tombstone): void {
    this.#stones.delete(sessionId);
    this.#stones.set(sessionId, stone);
    for (const [oldest, { atMs }] of this.#stones) {
      if (this.#stones.size <= this.#max && stone.atMs - atMs < this.#ttlMs) break;
      this.#stones.delete(oldest);
    }
  }

  get(sessionId: string, nowMs: number): Tombstone | undefined {
    const stone = this.#stones.get(sessionId);
    if (stone === undefined || nowMs - stone.atMs < this.#ttlMs) return stone;
    this.#stones.delete(sessionId);
    return undefined;
  }

  entries(): Iterable<[string, Tombstone]> {
    return this.#stones;
  }

  delete(sessionId: string): void {
    this.#stones.delete(sessionId);
  }
}
