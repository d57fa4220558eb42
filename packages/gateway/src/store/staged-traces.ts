import type { SessionLog } from './session-log.ts';
import type { SessionTable } from './session-table.ts';
import type { SessionTraces } from './session-traces.ts';
import type { NewTrace } from './trace-store.ts';

/** The traces of one session that are on their way into a store. */
interface StagedSession {
  readonly contents: SessionTraces;
  readonly log: SessionLog;
  readonly countBefore: number;
  readonly sizeBefore: number;
  readonly added: { trace: NewTrace; body: Buffer }[];
}

/** Traces that are written into their sessions already, but not yet seen by anybody: there may be no room for them. */
export class StagedTraces {
  readonly sessions = new Map<string, StagedSession>();
  readonly #nowMs: number;
  readonly #overheadBytes: number;
  #bytes = 0;

  /** @param overheadBytes what a trace takes beside its own bytes */
  constructor(nowMs: number, overheadBytes: number) {
    this.#nowMs = nowMs;
    this.#overheadBytes = overheadBytes;
  }

  /** What all of them take together. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param contents those of its session, the same for each trace of it
   * @param log where they go
   * @returns what it takes
   */
  add(trace: NewTrace, contents: SessionTraces, log: SessionLog): number {
    const { sessionId } = trace;
    const before = { countBefore: contents.count, sizeBefore: log.size };
    const session = this.sessions.get(sessionId) ?? { contents, log, ...before, added: [] };
    this.sessions.set(sessionId, session);
    const body = session.contents.add(trace, this.#nowMs);
    session.added.push({ trace, body });
    const bytes = body.byteLength + this.#overheadBytes;
    this.#bytes += bytes;
    return bytes;
  }

  /** Puts them away, all or none. @throws what a log throws */
  async write(): Promise<void> {
    for (const { log, added } of this.sessions.values()) await log.append(added.map(({ body }) => body));
  }

  async undo(): Promise<void> {
    for (const { contents, countBefore } of this.sessions.values()) contents.truncate(countBefore);
    for (const { log, sizeBefore } of this.sessions.values()) {
      if (log.size > sizeBefore) await log.rewind(sizeBefore).catch(() => undefined);
    }
  }

  /** Makes them seen. */
  record(table: SessionTable): void {
    for (const [sessionId, { log, added }] of this.sessions) {
      const entry = table.ensure(sessionId, this.#nowMs, log);
      for (const { trace, body } of added) {
        table.record(entry, trace, this.#nowMs, body.byteLength + this.#overheadBytes);
      }
    }
  }
}
