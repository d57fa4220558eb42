import { aNumber, optional, type OptionRules, type ReadOptions } from '@art/ground';

/**
 * How much a store keeps. Where a bound is reached, room is made by evicting whole sessions: finished ones first, those
 * without a capture for the longest time first, then ones that are not finished but have been idle for `idleMs`. If that
 * is not enough the append is refused with `ART_GATEWAY_STORE_FULL`: a session that an agent still works on never loses
 * a capture unseen. What was evicted is counted, and later captures of it are refused with `ART_GATEWAY_SESSION_GONE`.
 */
export interface RetentionOptions {
  /** Most sessions. @default 100_000 */
  maxSessions?: number | undefined;
  /** Most bytes of captures. @default 2 GiB in memory, 64 GiB on disk */
  maxBytes?: number | undefined;
  /** A session is deleted so long after its last capture, or its creation. @default 24 hours */
  ttlMs?: number | undefined;
  /** So long after its last capture, or its creation, a session may be evicted though nobody finished it. @default 1 hour */
  idleMs?: number | undefined;
  /** Most deleted sessions whose late captures are recognised; the oldest is forgotten first. @default 100_000 */
  maxTombstones?: number | undefined;
  /** How long a deleted session's late captures are recognised. @default 24 hours */
  tombstoneTtlMs?: number | undefined;
}

const hourMs = 3_600_000;
export const aBound = aNumber({ above: 0, max: Infinity });

/** Rules for what a store keeps at most. */
export const retentionRules = {
  maxSessions: optional(aBound, 100_000),
  maxBytes: optional(aBound, 2 ** 31),
  ttlMs: optional(aBound, 24 * hourMs),
  idleMs: optional(aBound, hourMs),
  maxTombstones: optional(aBound, 100_000),
  tombstoneTtlMs: optional(aBound, 24 * hourMs),
} satisfies OptionRules<RetentionOptions>;

export type Retention = ReadOptions<typeof retentionRules>;

/**
 * Why a session is no more. `unknown`: it was deleted before it had been created or had a capture, which keeps out only the
 * calls that were under way.
 */
export type SessionEnd = 'deleted' | 'unknown' | 'evicted' | 'expired';

/** A session that is no more. */
interface Tombstone {
  readonly end: SessionEnd;
  readonly atMs: number;
}

/** Remembers sessions that are no more, so that a late capture does not bring one back; bounded by count and age. */
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
