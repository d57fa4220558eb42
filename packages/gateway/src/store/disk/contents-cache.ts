import type { SessionEntry } from '../session-table.ts';
import { SessionTraces } from '../session-traces.ts';
import type { FrameLocation } from './segment.ts';

type DiskEntry = SessionEntry<FrameLocation[]>;

/**
 * Keeps the traces of the sessions in use at hand, as they are on disk, up to a number of bytes. A new trace can only be
 * compared with earlier ones that are here.
 */
export class ContentsCache {
  readonly #maxBytes: number;
  /** In the order of use. */
  readonly #contents = new Map<DiskEntry, { traces: SessionTraces; bytes: number }>();
  readonly #loading = new Map<DiskEntry, Promise<SessionTraces>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Everything that is stored of a session, read from disk as far as it is not here. */
  async get(entry: DiskEntry): Promise<SessionTraces> {
    const traces = this.#contents.get(entry)?.traces;
    if (traces !== undefined && traces.count >= entry.content.length) {
      this.put(entry, traces);
      return traces;
    }
    let loading = this.#loading.get(entry);
    if (loading === undefined) {
      loading = this.#load(entry).finally(() => this.#loading.delete(entry));
      this.#loading.set(entry, loading);
    }
    return loading;
  }

  /** Notes that a session was used, or has grown. */
  put(entry: DiskEntry, traces: SessionTraces): void {
    this.drop(entry);
    this.#contents.set(entry, { traces, bytes: traces.bytes });
    this.#bytes += traces.bytes;
    for (const [oldest] of this.#contents) {
      // The one in use stays, however large it is.
      if (this.#bytes <= this.#maxBytes || oldest === entry) break;
      this.drop(oldest);
    }
  }

  drop(entry: DiskEntry): void {
    const cached = this.#contents.get(entry);
    if (cached === undefined) return;
    this.#contents.delete(entry);
    this.#bytes -= cached.bytes;
  }

  async #load(entry: DiskEntry): Promise<SessionTraces> {
    const traces = new SessionTraces();
    // The session may grow, and its records may move, while they are read: `content` is looked at anew each time.
    while (traces.count < entry.content.length) {
      const location = entry.content[traces.count]!;
      traces.load((await location.segment.read(location)).body);
    }
    this.put(entry, traces);
    return traces;
  }
}
