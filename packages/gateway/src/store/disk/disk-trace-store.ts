import type { Trace } from '@art/trajectories';
import { checkRetention, type SessionEnd } from '../retention.ts';
import { describeSession, ordinalsInRange, SessionTable, type SessionEntry } from '../session-table.ts';
import { SessionTraces } from '../session-traces.ts';
import { StagedTraces } from '../staged-traces.ts';
import {
  checkSessionId,
  checkTraces,
  type NewTrace,
  refuseClosed,
  type SessionInit,
  type StoredSession,
  type TraceRange,
  type TraceStore,
  type TraceStoreStats,
} from '../trace-store.ts';
import { ContentsCache } from './contents-cache.ts';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import { diskFailure } from './disk-failure.ts';
import {
  checkDiskOptions,
  type CheckedDiskOptions,
  type DiskTraceStoreOptions,
} from './disk-trace-store-options.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { frameHeaderBytes, frameKinds } from './frame.ts';
import type { FrameFile } from './frame-file.ts';
import { makeStoreDirectory } from './make-directory.ts';
import { OpenFiles } from './open-files.ts';
import { readDirectory, sessionFile, type RecoveryReport } from './read-directory.ts';
import { SessionLocks } from './session-locks.ts';
import { sessionFrame } from './session-record.ts';

const gibibyte = 1_073_741_824;

type DiskEntry = SessionEntry<FrameFile>;

/** What a store is made of once its directory was read. */
interface OpenParts {
  options: CheckedDiskOptions;
  lock: DirectoryLock;
  files: OpenFiles;
  table: SessionTable<FrameFile>;
  recovery: RecoveryReport;
  ended: EndedSessions;
}

/**
 * Keeps traces in a directory: a file for each session, to which only ever more checksummed records are added, and which goes
 * with its session, so that space is free at once. An append is in the hands of the operating system when it resolves, so that
 * it survives the end of this process, however sudden. In memory are an index of about 200 bytes a trace and a cache.
 */
export class DiskTraceStore implements TraceStore {
  /** What was found when the directory was opened. */
  readonly recovery: RecoveryReport;
  readonly #options: CheckedDiskOptions;
  readonly #lock: DirectoryLock;
  readonly #files: OpenFiles;
  readonly #table: SessionTable<FrameFile>;
  readonly #ended: EndedSessions;
  readonly #cache: ContentsCache;
  readonly #locks = new SessionLocks();
  /** Traces on their way to a file. */
  readonly #pendingIds = new Set<string>();
  #pendingBytes = 0;
  #state: 'open' | 'closed' = 'open';
  #closing: Promise<void> | undefined;

  private constructor(parts: OpenParts) {
    this.recovery = parts.recovery;
    this.#options = parts.options;
    this.#lock = parts.lock;
    this.#files = parts.files;
    this.#table = parts.table;
    this.#ended = parts.ended;
    this.#cache = new ContentsCache(parts.options.cacheBytes);
  }

  /**
   * Opens a directory and reads what is there; a record that was being written when its process died is cut off.
   * @throws ArtError `ART_INVALID_OPTION`, `ART_GATEWAY_STORE_LOCKED`, `ART_GATEWAY_STORE_FULL`,
   * `ART_GATEWAY_STORE_FAILED`
   */
  static async open(options: DiskTraceStoreOptions): Promise<DiskTraceStore> {
    const checked = checkDiskOptions(options);
    const { directory } = checked;
    const retention = checkRetention(options, 64 * gibibyte);
    await makeStoreDirectory(directory);
    const lock = lockDirectory(directory);
    const files = new OpenFiles();
    try {
      const table = new SessionTable(retention, (sessionId) => sessionFile(files, directory, sessionId));
      const { recovery, ended } = await readDirectory({ files, ...checked }, table);
      return new DiskTraceStore({ options: checked, lock, files, table, recovery, ended });
    } catch (error) {
      await files.closeAll();
      lock.release();
      throw error;
    }
  }

  async append(traces: readonly NewTrace[]): Promise<void> {
    checkTraces(traces);
    this.#begin();
    const sessionIds = [...new Set(traces.map(({ sessionId }) => sessionId))];
    await this.#locks.run(sessionIds, () => this.#append(traces, sessionIds));
  }

  async createSession(init: SessionInit): Promise<StoredSession> {
    const { sessionId } = init;
    checkSessionId(sessionId);
    const copy = { ...init };
    this.#begin();
    return await this.#locks.run([sessionId], async () => {
      const atMs = await this.#expire([sessionId]);
      await this.#makeRoom([sessionId], atMs);
      const file = this.#fileOf(sessionId);
      await file.append([sessionFrame({ event: 'create', atMs, init: copy })], this.#options.durability);
      this.#table.ensure(sessionId, atMs, file);
      return describeSession(this.#table.create(copy, atMs));
    });
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    const entry = this.#table.get(sessionId, this.#begin());
    return entry && describeSession(entry);
  }

  async isDeleted(sessionId: string): Promise<boolean> {
    return this.#table.isDeleted(sessionId, this.#begin());
  }

  async sessions(range: TraceRange = {}): Promise<StoredSession[]> {
    return this.#table.list(range, this.#begin()).map(describeSession);
  }

  async tracesOf(sessionId: string, range: TraceRange = {}): Promise<Trace[]> {
    const entry = this.#table.get(sessionId, this.#begin());
    if (entry === undefined) return [];
    const ordinals = ordinalsInRange(entry, range);
    const traces = await this.#contentsOf(entry);
    return traces === undefined ? [] : ordinals.map((ordinal) => traces.read(ordinal));
  }

  async trace(traceId: string): Promise<Trace | undefined> {
    const place = this.#table.place(traceId, this.#begin());
    return place && (await this.#contentsOf(place.entry))?.read(place.ordinal);
  }

  async finishSession(sessionId: string): Promise<boolean> {
    this.#begin();
    return await this.#locks.run([sessionId], async () => {
      const atMs = await this.#expire([sessionId]);
      const entry = this.#table.find(sessionId);
      if (entry === undefined) return false;
      await entry.content.append(
        [sessionFrame({ event: 'finish', atMs, sessionId })],
        this.#options.durability,
      );
      this.#table.finish(entry, atMs);
      return true;
    });
  }

  async deleteSession(sessionId: string): Promise<number> {
    return this.deleteSessions([sessionId]);
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
      return known.reduce((sum, entry) => sum + entry.traceIds.length, 0);
    });
  }

  async flush(): Promise<void> {
    this.#begin();
    await this.#locks.idle();
  }

  stats(): TraceStoreStats {
    return this.#table.stats();
  }

  close(): Promise<void> {
    this.#state = 'closed';
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#locks.idle();
      await this.#files.closeAll();
    } finally {
      this.#lock.release();
    }
  }

  #begin(): number {
    if (this.#state === 'closed') refuseClosed();
    return this.#options.now();
  }

  #fileOf(sessionId: string): FrameFile {
    return (
      this.#table.find(sessionId)?.content ?? sessionFile(this.#files, this.#options.directory, sessionId)
    );
  }

  /** Undefined for a session that was deleted while it was read. */
  async #contentsOf(entry: DiskEntry): Promise<SessionTraces | undefined> {
    try {
      return await this.#cache.get(entry);
    } catch (error) {
      if (this.#table.find(entry.sessionId) !== entry) return undefined;
      throw error;
    }
  }

  async #append(traces: readonly NewTrace[], sessionIds: readonly string[]): Promise<void> {
    const nowMs = await this.#expire(sessionIds);
    const fresh = this.#table.admit(traces, nowMs, this.#pendingIds);
    if (fresh.length === 0) return;
    const staged = new StagedTraces(nowMs, frameHeaderBytes);
    const files = new Map<string, { file: FrameFile; sizeBefore: number }>();
    try {
      for (const trace of fresh) {
        const entry = this.#table.find(trace.sessionId);
        const known = staged.sessions.get(trace.sessionId)?.contents;
        const contents = known ?? (entry === undefined ? new SessionTraces() : await this.#cache.get(entry));
        this.#pendingBytes += staged.add(trace, contents);
      }
      await this.#makeRoom([...staged.sessions.keys()], nowMs);
      for (const [sessionId, { added }] of staged.sessions) {
        const file = this.#fileOf(sessionId);
        files.set(sessionId, { file, sizeBefore: file.size });
        const frames = added.map(({ body }) => ({ kind: frameKinds.trace, body }));
        await file.append(frames, this.#options.durability);
      }
    } catch (error) {
      staged.undo();
      for (const { file, sizeBefore } of files.values()) {
        if (file.size > sizeBefore) await file.rewind(sizeBefore).catch(() => undefined);
      }
      throw error;
    } finally {
      this.#pendingBytes -= staged.bytes;
      for (const { traceId } of fresh) this.#pendingIds.delete(traceId);
    }
    staged.record(this.#table, (sessionId) => files.get(sessionId)!.file);
    for (const [sessionId, { contents }] of staged.sessions) {
      this.#cache.put(this.#table.find(sessionId)!, contents);
    }
  }

  /** Evicts what has to go for what is on its way. @throws ArtError `ART_GATEWAY_STORE_FULL` */
  async #makeRoom(sessionIds: readonly string[], nowMs: number): Promise<void> {
    const more = { bytes: this.#pendingBytes, sessions: new Set(sessionIds) };
    const victims = this.#table.makeRoom(more, nowMs, (sessionId) => this.#locks.isHeld(sessionId));
    await this.#endOthers(victims, 'evicted', nowMs);
  }

  /** Ends the sessions that have outlived their time, but for those that others work on; the time. */
  async #expire(own: readonly string[]): Promise<number> {
    const nowMs = this.#options.now();
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

  async #endOthers(entries: readonly DiskEntry[], end: SessionEnd, atMs: number): Promise<void> {
    if (entries.length === 0) return;
    const sessionIds = entries.map(({ sessionId }) => sessionId);
    await this.#locks.run(sessionIds, () => this.#end(entries, end, atMs));
  }

  /** Removes sessions, and notes that they are gone; whoever calls holds them. */
  async #end(found: readonly DiskEntry[], end: SessionEnd, atMs: number): Promise<void> {
    // One that was removed meanwhile may have been created again, under the same name.
    const entries = found.filter((entry) => this.#table.find(entry.sessionId) === entry);
    if (entries.length === 0) return;
    const failures: ReturnType<typeof diskFailure>[] = [];
    const gone: string[] = [];
    const remove = async (entry: DiskEntry): Promise<void> => {
      try {
        await entry.content.remove();
        gone.push(entry.sessionId);
        this.#table.remove(entry.sessionId, end, atMs);
        this.#cache.drop(entry);
      } catch (error) {
        failures.push(diskFailure(entry.content.path, error));
      }
    };
    await Promise.all(entries.map(remove));
    if (gone.length > 0) await this.#ended.add(gone, end, atMs);
    if (failures[0] !== undefined) throw failures[0];
  }
}
