import type { NewTrace } from '../trace-store.ts';
import type { SessionEntry, SessionTable } from '../session-table.ts';
import { SessionTraces } from '../session-traces.ts';
import type { ContentsCache } from './contents-cache.ts';
import { frameHeaderBytes, frameKinds } from './frame.ts';
import type { FrameLocation } from './segment.ts';
import type { NewFrame } from './segment-log.ts';

/**
 * Traces on their way to the disk in one write. They are compared with what is stored and with one another; nobody reads
 * them before `commit`, and `undo` forgets them.
 */
export class TraceGroup {
  readonly #table: SessionTable<FrameLocation[]>;
  readonly #cache: ContentsCache;
  readonly #nowMs: number;
  readonly #contents = new Map<string, SessionTraces>();
  readonly #ids = new Set<string>();
  #pending: { trace: NewTrace; body: Buffer }[] = [];
  #victims: readonly SessionEntry<FrameLocation[]>[] = [];
  #bytes = 0;

  constructor(table: SessionTable<FrameLocation[]>, cache: ContentsCache, nowMs: number) {
    this.#table = table;
    this.#cache = cache;
    this.#nowMs = nowMs;
  }

  /** Sessions that make room for the group. */
  get victims(): readonly SessionEntry<FrameLocation[]>[] {
    return this.#victims;
  }

  /** What is to be written for the traces, in their order. */
  get frames(): NewFrame[] {
    return this.#pending.map(({ body }) => ({ kind: frameKinds.trace, body }));
  }

  /**
   * Takes the traces of one append, all or none.
   * @throws ArtError as `TraceStore.append`
   */
  async take(traces: readonly NewTrace[]): Promise<void> {
    const fresh = this.#table.admit(traces, this.#nowMs, this.#ids);
    const takenBefore = this.#pending.length;
    try {
      for (const trace of fresh) {
        const contents = await this.#contentsOf(trace.sessionId);
        const body = contents.add(trace, this.#nowMs);
        this.#pending.push({ trace, body });
        this.#bytes += frameHeaderBytes + body.byteLength;
      }
      const sessions = new Set(this.#pending.map(({ trace }) => trace.sessionId));
      this.#victims = this.#table.makeRoom({ bytes: this.#bytes, sessions }, this.#nowMs);
    } catch (error) {
      this.#undoFrom(takenBefore);
      for (const { traceId } of fresh) this.#ids.delete(traceId);
      throw error;
    }
  }

  /** Makes the traces visible; `locations` are those of `frames`. */
  commit(locations: readonly FrameLocation[]): void {
    for (const [index, { trace }] of this.#pending.entries()) {
      const entry = this.#table.ensure(trace.sessionId, this.#nowMs);
      const location = locations[index]!;
      entry.content.push(location);
      this.#table.record(entry, trace, this.#nowMs, location.length);
      this.#cache.put(entry, this.#contents.get(trace.sessionId)!);
    }
  }

  undo(): void {
    this.#undoFrom(0);
  }

  #undoFrom(count: number): void {
    for (const { trace, body } of this.#pending.splice(count).toReversed()) {
      const contents = this.#contents.get(trace.sessionId)!;
      contents.truncate(contents.count - 1);
      this.#bytes -= frameHeaderBytes + body.byteLength;
    }
  }

  async #contentsOf(sessionId: string): Promise<SessionTraces> {
    const known = this.#contents.get(sessionId);
    if (known !== undefined) return known;
    const entry = this.#table.find(sessionId);
    const contents = entry === undefined ? new SessionTraces() : await this.#cache.get(entry);
    this.#contents.set(sessionId, contents);
    return contents;
  }
}
