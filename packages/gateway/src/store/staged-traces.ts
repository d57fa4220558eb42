import type { SessionTable } from './session-table.ts';
import type { SessionTraces } from './session-traces.ts';
import type { NewTrace } from './trace-store.ts';

/** The traces of one session that are on their way into a store. */
interface StagedSession {
  readonly contents: SessionTraces;
  readonly countBefore: number;
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
   * @returns what it takes
   */
  add(trace: NewTrace, contents: SessionTraces): number {
    const { sessionId } = trace;
    const session = this.sessions.get(sessionId) ?? { contents, countBefore: contents.count, added: [] };
    this.sessions.set(sessionId, session);
    const body = session.contents.add(trace, this.#nowMs);
    session.added.push({ trace, body });
    const bytes = body.byteLength + this.#overheadBytes;
    this.#bytes += bytes;
    return bytes;
  }

  undo(): void {
    for (const { contents, countBefore } of this.sessions.values()) contents.truncate(countBefore);
  }

  /** Makes them seen. @param contentOf where the traces of a new session are */
  record<Content>(
    table: SessionTable<Content>,
    contentOf: (sessionId: string, contents: SessionTraces) => Content,
  ): void {
    for (const [sessionId, { contents, added }] of this.sessions) {
      const entry = table.ensure(sessionId, this.#nowMs, contentOf(sessionId, contents));
      for (const { trace, body } of added) {
        table.record(entry, trace, this.#nowMs, body.byteLength + this.#overheadBytes);
      }
    }
  }
}
