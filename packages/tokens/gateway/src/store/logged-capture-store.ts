import type { Capture } from '@art/trajectories';
import { ContentsCache } from './contents-cache.ts';
import type { SessionEnd } from './retention.ts';
import { SessionLocks } from './session-locks.ts';
import type { CaptureSessionLog } from './session-log.ts';
import { describeSession, ordinalsInRange, type SessionEntry } from './session-entry.ts';
import type { CaptureSessionTable } from './session-table.ts';
import { SessionCaptures } from './session-captures.ts';
import {
  checkSessionId,
  checkCaptures,
  type NewCapture,
  type PromptMessages,
  refuseClosed,
  type SessionInit,
  type StoredSession,
  type CaptureRange,
  type CaptureStore,
  type CaptureStoreStats,
  type TurnBefore,
} from './capture-store.ts';

/** The parts of a store. */
export interface LoggedStoreDeps {
  table: CaptureSessionTable;
  /** Size of a capture beside its own bytes. */
  overheadBytes: number;
  /** Captures of sessions in use that are kept in memory. */
  cacheBytes: number;
  /** Wall clock, milliseconds since the Unix epoch. */
  now: () => number;
  /** Where a session is put away that the table does not know; nothing is written yet. */
  openLog: (sessionId: string) => CaptureSessionLog;
  /** Notes sessions whose logs were removed. */
  noteEnds: (sessionIds: readonly string[], end: SessionEnd, atMs: number) => Promise<void>;
  /** Lets go of everything when nobody works any more. */
  close: () => Promise<void>;
}

/** A store that puts each session away in its own log; what the logs are decides what the captures survive. */
export class LoggedCaptureStore implements CaptureStore {
  readonly #deps: LoggedStoreDeps;
  readonly #table: CaptureSessionTable;
  readonly #cache: ContentsCache;
  readonly #locks = new SessionLocks();
  /** Bytes of captures that are on their way to a log. */
  #pendingBytes = 0;
  #closing: Promise<void> | undefined;

  constructor(deps: LoggedStoreDeps) {
    this.#deps = deps;
    this.#table = deps.table;
    this.#cache = new ContentsCache(deps.cacheBytes);
  }

  async append(captures: readonly NewCapture[]): Promise<void> {
    const sessionId = checkCaptures(captures);
    this.#begin();
    if (sessionId !== undefined) await this.#locks.run([sessionId], () => this.#append(sessionId, captures));
  }

  async createSession(init: SessionInit): Promise<StoredSession> {
    const { sessionId } = init;
    checkSessionId(sessionId);
    const copy = { ...init };
    this.#begin();
    return await this.#locks.run([sessionId], async () => {
      const atMs = await this.#expire([sessionId]);
      await this.#makeRoom(sessionId, atMs);
      const log = this.#logOf(sessionId);
      await log.append([{ event: 'create', atMs, init: copy }]);
      return describeSession(this.#table.create(copy, atMs, log));
    });
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    const entry = this.#table.get(sessionId, this.#begin());
    return entry && describeSession(entry);
  }

  async isDeleted(sessionId: string): Promise<boolean> {
    return this.#table.isDeleted(sessionId, this.#begin());
  }

  async sessions(range: CaptureRange = {}): Promise<StoredSession[]> {
    return this.#table.list(range, this.#begin()).map(describeSession);
  }

  async capturesOf(sessionId: string, range: CaptureRange = {}): Promise<Capture[]> {
    const entry = this.#table.get(sessionId, this.#begin());
    if (entry === undefined) return [];
    const ordinals = ordinalsInRange(entry, range);
    const captures = await this.#contentsOf(entry);
    return captures === undefined ? [] : ordinals.map((ordinal) => captures.read(ordinal));
  }

  async capture(captureId: string): Promise<Capture | undefined> {
    const place = this.#table.place(captureId, this.#begin());
    return place && (await this.#contentsOf(place.entry))?.read(place.ordinal);
  }

  async turnBefore(sessionId: string, prompt: PromptMessages): Promise<TurnBefore | undefined> {
    const entry = this.#table.get(sessionId, this.#begin());
    if (entry === undefined) return undefined;
    const captures = await this.#contentsOf(entry);
    // Behind those that are recorded may be some that are on their way.
    return captures?.turnBefore(prompt, entry.captureIds.length);
  }

  async finishSession(sessionId: string, metadata?: Readonly<Record<string, unknown>>): Promise<boolean> {
    this.#begin();
    return await this.#locks.run([sessionId], async () => {
      const atMs = await this.#expire([sessionId]);
      const entry = this.#table.find(sessionId);
      if (entry === undefined) return false;
      await entry.log.append([{ event: 'finish', atMs, sessionId, metadata }]);
      this.#table.finish(entry, atMs, metadata);
      return true;
    });
  }

  async deleteSessions(sessionIds: readonly string[]): Promise<number> {
    for (const sessionId of sessionIds) checkSessionId(sessionId);
    this.#begin();
    const ids = [...new Set(sessionIds)];
    return await this.#locks.run(ids, async () => {
      const atMs = await this.#expire(ids);
      const known = ids.flatMap((sessionId) => this.#table.find(sessionId) ?? []);
      await this.#end(known, 'deleted', atMs);
      // Unknown ones leave no record: their tombstones only keep out calls of this process.
      for (const sessionId of ids) this.#table.remove(sessionId, 'deleted', atMs);
      return known.reduce((sum, entry) => sum + entry.captureIds.length, 0);
    });
  }

  async flush(): Promise<void> {
    this.#begin();
    await this.#locks.idle();
  }

  stats(): CaptureStoreStats {
    return this.#table.stats();
  }

  close(): Promise<void> {
    this.#closing ??= this.#locks.idle().then(() => this.#deps.close());
    return this.#closing;
  }

  #begin(): number {
    if (this.#closing !== undefined) refuseClosed();
    return this.#deps.now();
  }

  #logOf(sessionId: string): CaptureSessionLog {
    return this.#table.find(sessionId)?.log ?? this.#deps.openLog(sessionId);
  }

  /** Undefined for a session that was deleted while it was read. */
  async #contentsOf(entry: SessionEntry): Promise<SessionCaptures | undefined> {
    try {
      return await this.#cache.get(entry);
    } catch (error) {
      // Anyone who removes it may have removed the log already, and the entry not yet.
      await this.#locks.run([entry.sessionId], () => Promise.resolve());
      if (this.#table.find(entry.sessionId) !== entry) return undefined;
      throw error;
    }
  }

  async #append(sessionId: string, captures: readonly NewCapture[]): Promise<void> {
    const nowMs = await this.#expire([sessionId]);
    const fresh = this.#table.admit(sessionId, captures, nowMs);
    if (fresh.length === 0) return;
    const known = this.#table.find(sessionId);
    const contents = known === undefined ? new SessionCaptures() : await this.#cache.get(known);
    const countBefore = contents.count;
    const log = this.#logOf(sessionId);
    const { overheadBytes } = this.#deps;
    let bytes = 0;
    const stored: Buffer[] = [];
    try {
      for (const capture of fresh) stored.push(contents.add(capture, nowMs));
      bytes = stored.reduce((sum, { byteLength }) => sum + byteLength + overheadBytes, 0);
      this.#pendingBytes += bytes;
      await this.#makeRoom(sessionId, nowMs);
      await log.append(stored);
    } catch (error) {
      contents.truncate(countBefore);
      throw error;
    } finally {
      this.#pendingBytes -= bytes;
    }
    // From here on they are seen.
    const entry = this.#table.ensure(sessionId, nowMs, log);
    for (const [index, capture] of fresh.entries())
      this.#table.record(entry, capture, nowMs, stored[index]!.byteLength + overheadBytes);
    this.#cache.put(entry, contents);
  }

  /** Evicts what has to go for what is on its way. @throws ArtError `ART_GATEWAY_STORE_FULL` */
  async #makeRoom(sessionId: string, nowMs: number): Promise<void> {
    const more = { bytes: this.#pendingBytes, sessionId };
    const victims = this.#table.makeRoom(more, nowMs, (sessionId) => this.#locks.isHeld(sessionId));
    await this.#endOthers(victims, 'evicted', nowMs);
  }

  /** Ends the sessions that have outlived their time, but for those that others work on; the time. */
  async #expire(own: readonly string[]): Promise<number> {
    const nowMs = this.#deps.now();
    const expired = this.#table.expired(nowMs);
    await this.#end(
      expired.filter(({ sessionId }) => own.includes(sessionId)),
      'expired',
      nowMs,
    );
    await this.#endOthers(
      expired.filter(({ sessionId }) => !this.#locks.isHeld(sessionId)),
      'expired',
      nowMs,
    );
    return nowMs;
  }

  async #endOthers(entries: readonly SessionEntry[], end: SessionEnd, atMs: number): Promise<void> {
    if (entries.length === 0) return;
    const sessionIds = entries.map(({ sessionId }) => sessionId);
    await this.#locks.run(sessionIds, () => this.#end(entries, end, atMs));
  }

  /** Removes sessions, and notes that they are gone; anyone who calls holds them. */
  async #end(found: readonly SessionEntry[], end: SessionEnd, atMs: number): Promise<void> {
    // One that was removed meanwhile may have been created again, under the same name.
    const entries = found.filter((entry) => this.#table.find(entry.sessionId) === entry);
    if (entries.length === 0) return;
    const failures: unknown[] = [];
    const gone: string[] = [];
    const remove = async (entry: SessionEntry): Promise<void> => {
      try {
        await entry.log.remove();
        gone.push(entry.sessionId);
        this.#table.remove(entry.sessionId, end, atMs);
        this.#cache.drop(entry);
      } catch (error) {
        failures.push(error);
      }
    };
    await Promise.all(entries.map(remove));
    if (gone.length > 0) await this.#deps.noteEnds(gone, end, atMs);
    if (failures.length > 0) throw failures[0];
  }
}
