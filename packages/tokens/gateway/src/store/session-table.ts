import { ArtError } from '@art/ground';
import { type Retention, type SessionEnd, Tombstones } from './retention.ts';
import type { SessionEntry } from './session-entry.ts';
import type { CaptureSessionLog } from './session-log.ts';
import {
  checkRange,
  type NewCapture,
  type SessionInit,
  type CaptureRange,
  type CaptureStoreStats,
} from './capture-store.ts';

type Counts = { -readonly [Name in keyof CaptureStoreStats]: number };

/** Where a capture is. */
interface CapturePlace {
  entry: SessionEntry;
  ordinal: number;
}

/**
 * Both stores' knowledge of their sessions, and their decisions: which captures are taken, which sessions make room,
 * which have outlived their time. Changes only itself; the stores write and remove captures.
 */
export class CaptureSessionTable {
  readonly #retention: Retention;
  readonly #entries = new Map<string, SessionEntry>();
  /** In the order of their last activity, as the eviction needs them. */
  readonly #active = new Set<SessionEntry>();
  readonly #finished = new Set<SessionEntry>();
  readonly #places = new Map<string, CapturePlace>();
  readonly #tombstones: Tombstones;
  readonly #counts: Counts = {
    sessions: 0,
    captures: 0,
    bytes: 0,
    tombstones: 0,
    droppedCaptures: 0,
    duplicateCaptures: 0,
    evictedSessions: 0,
    evictedCaptures: 0,
    expiredSessions: 0,
  };

  constructor(retention: Retention) {
    this.#retention = retention;
    this.#tombstones = new Tombstones(retention);
  }

  stats(): CaptureStoreStats {
    return { ...this.#counts, sessions: this.#entries.size, tombstones: this.#tombstones.size };
  }

  get tombstones(): Tombstones {
    return this.#tombstones;
  }

  /** Also undefined for an expired session. */
  get(sessionId: string, nowMs: number): SessionEntry | undefined {
    const entry = this.#entries.get(sessionId);
    return entry === undefined || this.#isExpired(entry, nowMs) ? undefined : entry;
  }

  /** The session even if it has outlived its time. */
  find(sessionId: string): SessionEntry | undefined {
    return this.#entries.get(sessionId);
  }

  place(captureId: string, nowMs: number): CapturePlace | undefined {
    const place = this.#places.get(captureId);
    return place === undefined || this.#isExpired(place.entry, nowMs) ? undefined : place;
  }

  list(range: CaptureRange, nowMs: number): SessionEntry[] {
    const { sinceMs, limit } = checkRange(range);
    return [...this.#entries.values()]
      .filter((entry) => entry.captureIds.length > 0 && !this.#isExpired(entry, nowMs))
      .filter((entry) => firstAt(entry) >= sinceMs)
      .toSorted((a, b) => firstAt(b) - firstAt(a))
      .slice(0, limit);
  }

  /** Creates a session, or creates it again. */
  create(init: SessionInit, nowMs: number, log: CaptureSessionLog): SessionEntry {
    const entry = this.ensure(init.sessionId, nowMs, log);
    entry.createdAtMs = nowMs;
    // As rllm's gateway has it: what is empty replaces nothing.
    if (Object.keys(init.metadata ?? {}).length > 0) entry.metadata = { ...init.metadata };
    if (Object.keys(init.samplingParams ?? {}).length > 0) entry.samplingParams = { ...init.samplingParams };
    entry.finished = false;
    this.#touch(entry, nowMs);
    return entry;
  }

  /** The session, made if need be. */
  ensure(sessionId: string, nowMs: number, log: CaptureSessionLog): SessionEntry {
    const existing = this.#entries.get(sessionId);
    if (existing !== undefined) return existing;
    const entry: SessionEntry = {
      sessionId,
      createdAtMs: nowMs,
      metadata: {},
      samplingParams: {},
      finished: false,
      activeAtMs: nowMs,
      acceptFromMs: this.#tombstones.get(sessionId, nowMs)?.atMs ?? Number.NEGATIVE_INFINITY,
      captureIds: [],
      storedAtMs: [],
      captureBytes: [],
      incompleteCount: 0,
      log,
    };
    this.#tombstones.delete(sessionId);
    this.#entries.set(sessionId, entry);
    this.#active.add(entry);
    return entry;
  }

  finish(entry: SessionEntry, nowMs: number, metadata: SessionEntry['metadata'] | undefined): void {
    entry.finished = true;
    if (metadata !== undefined) entry.metadata = { ...metadata };
    this.#touch(entry, nowMs);
  }

  /** True if it was deleted and not created again, as far back as that is remembered. */
  isDeleted(sessionId: string, nowMs: number): boolean {
    return !this.#entries.has(sessionId) && this.#tombstones.get(sessionId, nowMs)?.end === 'deleted';
  }

  /**
   * The captures of a session that are to be stored; the others are late or there already, and are counted.
   * @throws ArtError `ART_GATEWAY_SESSION_GONE`, before anything is counted
   */
  admit(sessionId: string, captures: readonly NewCapture[], nowMs: number): NewCapture[] {
    const end = this.#entries.has(sessionId) ? undefined : this.#tombstones.get(sessionId, nowMs)?.end;
    if (end === 'evicted' || end === 'expired') refuseGone(sessionId, end);
    const ids = new Set<string>();
    return captures.filter((capture) => {
      if (this.#isLate(capture, nowMs)) {
        this.#counts.droppedCaptures += 1;
        return false;
      }
      if (this.#places.has(capture.captureId) || ids.has(capture.captureId)) {
        this.#counts.duplicateCaptures += 1;
        return false;
      }
      ids.add(capture.captureId);
      return true;
    });
  }

  /** Notes a capture that was put away behind the others of its session. */
  record(
    entry: SessionEntry,
    capture: Pick<NewCapture, 'captureId' | 'status'>,
    storedAtMs: number,
    bytes: number,
  ): void {
    this.#places.set(capture.captureId, { entry, ordinal: entry.captureIds.length });
    entry.captureIds.push(capture.captureId);
    entry.storedAtMs.push(storedAtMs);
    entry.captureBytes.push(bytes);
    if (capture.status !== 'complete') entry.incompleteCount += 1;
    this.#counts.captures += 1;
    this.#counts.bytes += bytes;
    this.#touch(entry, Math.max(entry.activeAtMs, storedAtMs));
  }

  /** Removes a session; the entry, or undefined where there was none. A tombstone stays in either case. */
  remove(sessionId: string, end: SessionEnd, nowMs: number): SessionEntry | undefined {
    const entry = this.#entries.get(sessionId);
    if (entry === undefined) {
      if (this.#tombstones.get(sessionId, nowMs) === undefined) {
        this.#tombstones.add(sessionId, { end: 'unknown', atMs: nowMs });
      }
      return undefined;
    }
    this.#tombstones.add(sessionId, { end, atMs: nowMs });
    this.#entries.delete(sessionId);
    this.#active.delete(entry);
    this.#finished.delete(entry);
    for (const captureId of entry.captureIds) this.#places.delete(captureId);
    for (const bytes of entry.captureBytes) this.#counts.bytes -= bytes;
    this.#counts.captures -= entry.captureIds.length;
    if (end === 'expired') this.#counts.expiredSessions += 1;
    if (end === 'evicted') {
      this.#counts.evictedSessions += 1;
      this.#counts.evictedCaptures += entry.captureIds.length;
    }
    return entry;
  }

  /** Sessions that have outlived their time. */
  expired(nowMs: number): SessionEntry[] {
    const entries: SessionEntry[] = [];
    for (const group of [this.#active, this.#finished]) {
      for (const entry of group) {
        if (!this.#isExpired(entry, nowMs)) break;
        entries.push(entry);
      }
    }
    return entries;
  }

  /**
   * Which sessions have to go so that so much more fits.
   * @param isBusy whether somebody works on a session, so that it cannot go
   * @throws ArtError `ART_GATEWAY_STORE_FULL` if those that may go are not enough
   */
  makeRoom(
    more: { bytes: number; sessionId: string },
    nowMs: number,
    isBusy: (sessionId: string) => boolean,
  ): SessionEntry[] {
    const { maxBytes, maxSessions, idleMs } = this.#retention;
    const isNew = this.#entries.has(more.sessionId) ? 0 : 1;
    let bytes = this.#counts.bytes + more.bytes;
    let sessions = this.#entries.size + isNew;
    const fits = (): boolean => bytes <= maxBytes && sessions <= maxSessions;
    const victims: SessionEntry[] = [];
    for (const group of [this.#finished, this.#active]) {
      for (const entry of group) {
        if (fits()) return victims;
        if (group === this.#active && nowMs - entry.activeAtMs < idleMs) break;
        if (isBusy(entry.sessionId)) continue;
        victims.push(entry);
        sessions -= 1;
        for (const size of entry.captureBytes) bytes -= size;
      }
    }
    if (fits()) return victims;
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FULL',
      message: `Expected room for ${more.bytes} more bytes in ${isNew} more sessions, got ${this.#counts.bytes} of ${maxBytes} bytes and ${this.#entries.size} of ${maxSessions} sessions in use, none of which is finished or idle for ${idleMs} ms. Delete sessions whose captures were read, or raise maxBytes or maxSessions.`,
    });
  }

  /** Puts the sessions into the order of their last activity, after they were read from a log that has another one. */
  sortByActivity(): void {
    for (const entry of [...this.#entries.values()].toSorted((a, b) => a.activeAtMs - b.activeAtMs)) {
      this.#touch(entry, entry.activeAtMs);
    }
  }

  #touch(entry: SessionEntry, nowMs: number): void {
    entry.activeAtMs = nowMs;
    this.#active.delete(entry);
    this.#finished.delete(entry);
    (entry.finished ? this.#finished : this.#active).add(entry);
  }

  #isExpired(entry: SessionEntry, nowMs: number): boolean {
    return nowMs - entry.activeAtMs >= this.#retention.ttlMs;
  }

  #isLate(capture: NewCapture, nowMs: number): boolean {
    const entry = this.#entries.get(capture.sessionId);
    if (entry !== undefined) return capture.timestampMs < entry.acceptFromMs;
    const stone = this.#tombstones.get(capture.sessionId, nowMs);
    return stone !== undefined && (stone.end !== 'unknown' || capture.timestampMs < stone.atMs);
  }
}

function firstAt(entry: SessionEntry): number {
  return entry.storedAtMs[0]!;
}

function refuseGone(sessionId: string, end: SessionEnd): never {
  throw new ArtError({
    code: 'ART_GATEWAY_SESSION_GONE',
    message: `Session ${JSON.stringify(sessionId)} was ${end} from the capture store before this call ended, so its capture cannot be joined to the earlier ones. Create the session again, or raise ttlMs, idleMs, maxBytes or maxSessions.`,
  });
}
