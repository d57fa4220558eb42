import type { Trace } from '@art/trajectories';
import {
  type NewTrace,
  type SessionInit,
  type StoredSession,
  type TraceRange,
  type TraceStore,
  type TraceStoreStats,
  checkSessionId,
  checkTraces,
  refuseClosed,
} from '../trace-store.ts';
import { checkRetention, type SessionEnd } from '../retention.ts';
import { describeSession, ordinalsInRange, type SessionEntry, SessionTable } from '../session-table.ts';
import type { SessionTraces } from '../session-traces.ts';
import { ContentsCache } from './contents-cache.ts';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import {
  checkDiskOptions,
  type CheckedDiskOptions,
  type DiskTraceStoreOptions,
} from './disk-trace-store-options.ts';
import { frameKinds } from './frame.ts';
import { replayLog, type RecoveryReport } from './replay-log.ts';
import { LogCleaner } from './log-cleaner.ts';
import type { FrameLocation } from './segment.ts';
import { makeStoreDirectory, SegmentLog, type NewFrame, type ReserveUse } from './segment-log.ts';
import { encodeSessionRecord, type SessionRecord } from './session-record.ts';
import { TraceGroup } from './trace-group.ts';
import { WriteQueue, type GroupMember } from './write-queue.ts';

const gibibyte = 1_073_741_824;

/** What a store is made of once its directory was read. */
interface OpenParts {
  options: CheckedDiskOptions;
  lock: DirectoryLock;
  log: SegmentLog;
  table: SessionTable<FrameLocation[]>;
  recovery: RecoveryReport;
}

/**
 * Keeps traces in a directory, as a log of checksummed records to which only ever more is added. An append is in the
 * hands of the operating system when it resolves, so that it survives the end of this process, however sudden. Appends
 * that wait at the same time share a write. Space of deleted sessions is won back by copying what lives out of the oldest
 * file, once half of the log and one file more is garbage, or the disk is full. A reserve of up to a segment's size is kept on
 * the disk, so that sessions can be deleted when it is full. In memory are an index of about 200 bytes a trace and a cache.
 */
export class DiskTraceStore implements TraceStore {
  /** What was found when the directory was opened. */
  readonly recovery: RecoveryReport;
  readonly #options: CheckedDiskOptions;
  readonly #lock: DirectoryLock;
  readonly #log: SegmentLog;
  readonly #table: SessionTable<FrameLocation[]>;
  readonly #cache: ContentsCache;
  readonly #cleaner: LogCleaner;
  readonly #writer = new WriteQueue<readonly NewTrace[]>((members) => this.#writeGroup(members));
  #state: 'open' | 'closed' = 'open';
  #closing: Promise<void> | undefined;

  private constructor(parts: OpenParts) {
    this.recovery = parts.recovery;
    this.#options = parts.options;
    this.#lock = parts.lock;
    this.#log = parts.log;
    this.#table = parts.table;
    this.#cache = new ContentsCache(parts.options.cacheBytes);
    const { segmentBytes, now } = parts.options;
    const run = (step: () => Promise<void>): Promise<void> => this.#writer.run(step);
    this.#cleaner = new LogCleaner({ log: parts.log, table: parts.table, segmentBytes, now, run });
  }

  /**
   * Opens a directory and reads what is there; a record that was being written when its process died is cut off.
   * @throws ArtError `ART_INVALID_OPTION`, `ART_GATEWAY_STORE_LOCKED`, `ART_GATEWAY_STORE_FULL`,
   * `ART_GATEWAY_STORE_FAILED`
   */
  static async open(options: DiskTraceStoreOptions): Promise<DiskTraceStore> {
    const checked = checkDiskOptions(options);
    const retention = checkRetention(options, 64 * gibibyte);
    await makeStoreDirectory(checked.directory);
    const lock = lockDirectory(checked.directory);
    let log: SegmentLog | undefined;
    try {
      log = await SegmentLog.open(checked);
      const table = new SessionTable<FrameLocation[]>(retention, () => []);
      const recovery = await replayLog(log.segments, table);
      return new DiskTraceStore({ options: checked, lock, log, table, recovery });
    } catch (error) {
      await log?.close();
      lock.release();
      throw error;
    }
  }

  async append(traces: readonly NewTrace[]): Promise<void> {
    checkTraces(traces);
    this.#begin();
    if (traces.length > 0) await this.#cleaner.orMakeRoom(() => this.#writer.add(traces));
  }

  async createSession(init: SessionInit): Promise<StoredSession> {
    checkSessionId(init.sessionId);
    const copy = { ...init };
    this.#begin();
    const create = async (): Promise<StoredSession> => {
      const atMs = await this.#expire();
      const victims = this.#table.makeRoom({ bytes: 0, sessions: new Set([init.sessionId]) }, atMs);
      await this.#endSessions(victims, 'evicted', atMs);
      await this.#write([{ event: 'create', atMs, init: copy }]);
      return describeSession(this.#table.create(copy, atMs));
    };
    const session = await this.#cleaner.orMakeRoom(() => this.#writer.run(create));
    this.#cleaner.cleanIfWorth();
    return session;
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
    const finish = async (): Promise<boolean> => {
      const atMs = await this.#expire();
      const entry = this.#table.find(sessionId);
      if (entry === undefined) return false;
      await this.#write([{ event: 'finish', atMs, sessionId }]);
      this.#table.finish(entry, atMs);
      return true;
    };
    return this.#cleaner.orMakeRoom(() => this.#writer.run(finish));
  }

  async deleteSession(sessionId: string): Promise<number> {
    return this.deleteSessions([sessionId]);
  }

  async deleteSessions(sessionIds: readonly string[]): Promise<number> {
    for (const sessionId of sessionIds) checkSessionId(sessionId);
    this.#begin();
    const deleted = await this.#writer.run(async () => {
      const atMs = await this.#expire();
      const known = [...new Set(sessionIds)].flatMap((sessionId) => this.#table.find(sessionId) ?? []);
      await this.#endSessions(known, 'deleted', atMs);
      // Unknown ones leave no record: their tombstones only keep out calls of this process.
      for (const sessionId of sessionIds) this.#table.remove(sessionId, 'deleted', atMs);
      return known.reduce((sum, entry) => sum + entry.traceIds.length, 0);
    });
    this.#cleaner.cleanIfWorth();
    return deleted;
  }

  async flush(): Promise<void> {
    this.#begin();
    await this.#writer.run(() => this.#log.sync());
  }

  stats(): TraceStoreStats {
    return this.#table.stats();
  }

  /** The size of the files, garbage included. */
  get fileBytes(): number {
    return this.#log.bytes;
  }

  close(): Promise<void> {
    this.#state = 'closed';
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#cleaner.close();
    try {
      await this.#writer.run(() => this.#log.sync());
    } finally {
      await this.#log.close();
      this.#lock.release();
    }
  }

  #begin(): number {
    if (this.#state === 'closed') refuseClosed();
    return this.#options.now();
  }

  /** Undefined for a session that was deleted while it was read. */
  async #contentsOf(entry: SessionEntry<FrameLocation[]>): Promise<SessionTraces | undefined> {
    try {
      return await this.#cache.get(entry);
    } catch (error) {
      if (this.#table.find(entry.sessionId) !== entry) return undefined;
      throw error;
    }
  }

  async #writeGroup(members: readonly GroupMember<readonly NewTrace[]>[]): Promise<void> {
    const nowMs = await this.#expire();
    const group = new TraceGroup(this.#table, this.#cache, nowMs);
    for (const member of members) {
      await group.take(member.item).catch((error: unknown) => member.fail(error));
    }
    try {
      await this.#endSessions(group.victims, 'evicted', nowMs);
      const { frames } = group;
      group.commit(frames.length === 0 ? [] : await this.#log.append(frames));
    } catch (error) {
      group.undo();
      throw error;
    }
    this.#cleaner.cleanIfWorth();
  }

  /** Ends the sessions that have outlived their time; the time. */
  async #expire(): Promise<number> {
    const nowMs = this.#options.now();
    await this.#endSessions(this.#table.expired(nowMs), 'expired', nowMs);
    return nowMs;
  }

  async #endSessions(
    entries: readonly SessionEntry<FrameLocation[]>[],
    end: SessionEnd,
    atMs: number,
  ): Promise<void> {
    if (entries.length === 0) return;
    const records = entries.map(({ sessionId }) => ({ event: 'end', atMs, sessionId, end }) as const);
    await this.#write(records, 'all');
    for (const entry of entries) {
      this.#table.remove(entry.sessionId, end, atMs);
      this.#cache.drop(entry);
    }
  }

  async #write(records: readonly SessionRecord[], use: ReserveUse = 'none'): Promise<void> {
    const frames: NewFrame[] = records.map((record) => ({
      kind: frameKinds.session,
      body: encodeSessionRecord(record),
    }));
    await this.#log.append(frames, use);
  }
}
