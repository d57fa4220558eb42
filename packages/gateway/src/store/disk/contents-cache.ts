import type { SessionEntry } from '../session-table.ts';
import { SessionTraces } from '../session-traces.ts';
import { StoredTrace } from '../stored-trace.ts';
import { diskFailure } from './disk-failure.ts';
import { frameKinds } from './frame.ts';
import type { FrameFile } from './frame-file.ts';

type DiskEntry = SessionEntry<FrameFile>;

/**
 * Keeps the traces of the sessions in use at hand, as they are on disk, up to a number of bytes. A new trace can only be
 * compared with earlier ones that are here.
 */
export class ContentsCache {
  readonly #maxBytes: number;
  /** In the order of use. */
  readonly #contents = new Map<DiskEntry, { traces: SessionTraces; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Everything that is recorded of a session, read from its file as far as it is not here. */
  async get(entry: DiskEntry): Promise<SessionTraces> {
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
}

async function load({ content, traceIds }: DiskEntry): Promise<SessionTraces> {
  const traces = new SessionTraces();
  const count = traceIds.length;
  for (const { kind, body } of await content.read()) {
    // Behind those that are recorded may be some that are on their way.
    if (kind === frameKinds.trace && traces.count < count) traces.load(new StoredTrace(body));
  }
  if (traces.count === count) return traces;
  throw diskFailure(content.path, new Error(`the record of trace ${traces.count} is damaged`));
}
