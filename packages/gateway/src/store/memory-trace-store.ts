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
} from './trace-store.ts';
import { checkRetention, type RetentionOptions } from './retention.ts';
import { describeSession, ordinalsInRange, SessionTable } from './session-table.ts';
import { SessionTraces } from './session-traces.ts';
import { StagedTraces } from './staged-traces.ts';

/** Options of `MemoryTraceStore`. */
export interface MemoryTraceStoreOptions extends RetentionOptions {
  /** Wall clock, milliseconds since the Unix epoch. @default Date.now */
  now?: (() => number) | undefined;
}

const gibibyte = 1_073_741_824;

/** What the objects around a trace take beside its bytes, so that `maxBytes` is near what the process really uses. */
const traceOverheadBytes = 512;

/**
 * Keeps traces in the memory of this process, each as what it adds to an earlier one of its session: 20 turns that grow
 * to 32,000 tokens take little more than the last of them. Nothing survives the process.
 */
export class MemoryTraceStore implements TraceStore {
  readonly #table: SessionTable<SessionTraces>;
  readonly #now: () => number;
  #state: 'open' | 'closed' = 'open';

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: MemoryTraceStoreOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#table = new SessionTable(checkRetention(options, 2 * gibibyte), () => new SessionTraces());
  }

  async append(traces: readonly NewTrace[]): Promise<void> {
    checkTraces(traces);
    const nowMs = this.#begin();
    const staged = new StagedTraces(nowMs, traceOverheadBytes);
    try {
      for (const trace of this.#table.admit(traces, nowMs))
        staged.add(trace, this.#contentsOf(trace, staged));
      this.#makeRoom({ bytes: staged.bytes, sessions: new Set(staged.sessions.keys()) }, nowMs);
    } catch (error) {
      staged.undo();
      throw error;
    }
    staged.record(this.#table, (_sessionId, contents) => contents);
  }

  async createSession(init: SessionInit): Promise<StoredSession> {
    checkSessionId(init.sessionId);
    const nowMs = this.#begin();
    this.#makeRoom({ bytes: 0, sessions: new Set([init.sessionId]) }, nowMs);
    return describeSession(this.#table.create(init, nowMs));
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
    return entry === undefined
      ? []
      : ordinalsInRange(entry, range).map((ordinal) => entry.content.read(ordinal));
  }

  async trace(traceId: string): Promise<Trace | undefined> {
    const place = this.#table.place(traceId, this.#begin());
    return place?.entry.content.read(place.ordinal);
  }

  async finishSession(sessionId: string): Promise<boolean> {
    const nowMs = this.#begin();
    const entry = this.#table.get(sessionId, nowMs);
    if (entry !== undefined) this.#table.finish(entry, nowMs);
    return entry !== undefined;
  }

  async deleteSession(sessionId: string): Promise<number> {
    checkSessionId(sessionId);
    const nowMs = this.#begin();
    return this.#table.remove(sessionId, 'deleted', nowMs)?.traceIds.length ?? 0;
  }

  async deleteSessions(sessionIds: readonly string[]): Promise<number> {
    for (const sessionId of sessionIds) checkSessionId(sessionId);
    let deleted = 0;
    for (const sessionId of sessionIds) deleted += await this.deleteSession(sessionId);
    return deleted;
  }

  async flush(): Promise<void> {
    this.#begin();
  }

  stats(): TraceStoreStats {
    return this.#table.stats();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
  }

  /** What every method begins with: the time, and nobody left who has outlived it. */
  #begin(): number {
    if (this.#state === 'closed') refuseClosed();
    const nowMs = this.#now();
    for (const { sessionId } of this.#table.expired(nowMs)) this.#table.remove(sessionId, 'expired', nowMs);
    return nowMs;
  }
  #contentsOf({ sessionId }: NewTrace, staged: StagedTraces): SessionTraces {
    const known = staged.sessions.get(sessionId)?.contents ?? this.#table.find(sessionId)?.content;
    return known ?? new SessionTraces();
  }

  /** @throws ArtError `ART_GATEWAY_STORE_FULL` */
  #makeRoom(more: { bytes: number; sessions: ReadonlySet<string> }, nowMs: number): void {
    for (const { sessionId } of this.#table.makeRoom(more, nowMs)) {
      this.#table.remove(sessionId, 'evicted', nowMs);
    }
  }
}
