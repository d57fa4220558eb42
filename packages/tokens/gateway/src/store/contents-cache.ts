import type { SessionEntry } from './session-entry.ts';
import { SessionTraces } from './session-traces.ts';
import { StoredTrace } from './stored-trace.ts';

/**
 * Keeps the traces of the sessions in use at hand, as they are stored, up to a number of bytes. A new trace can only be
 * compared with earlier ones that are here.
 */
export class ContentsCache {
  readonly #maxBytes: number;
  /** In the order of use. */
  readonly #contents = new Map<SessionEntry, { traces: SessionTraces; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Everything that is recorded of a session, read from its log as far as it is not here. */
  async get(entry: SessionEntry): Promise<SessionTraces> {
    let traces = this.#contents.get(entry)?.traces;
    while (traces === undefined || traces.count < entry.traceIds.length) {
      const loaded = await load(entry);
      // Whoever was faster may have added to it since, and what is added to is to be the same for all.
      const known = this.#contents.get(entry)?.traces;
      traces = known !== undefined && known.count >= loaded.count ? known : loaded;
    }
    this.put(entry, traces);
    return traces;
  }

  /** Notes that a session was used, or has grown. */
  put(entry: SessionEntry, traces: SessionTraces): void {
    this.drop(entry);
    this.#contents.set(entry, { traces, bytes: traces.bytes });
    this.#bytes += traces.bytes;
    for (const [oldest] of this.#contents) {
      // The one in use stays, however large it is.
      if (this.#bytes <= this.#maxBytes || oldest === entry) break;
      this.drop(oldest);
    }
  }

  drop(entry: SessionEntry): void {
    const cached = this.#contents.get(entry);
    if (cached === undefined) return;
    this.#contents.delete(entry);
    this.#bytes -= cached.bytes;
  }
}

async function load({ log, traceIds }: SessionEntry): Promise<SessionTraces> {
  const traces = new SessionTraces();
  // Behind those that are recorded may be some that are on their way.
  for (const bytes of await log.traces(traceIds.length)) traces.load(new StoredTrace(bytes));
  return traces;
}
