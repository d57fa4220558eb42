import type { SessionEntry } from './session-entry.ts';
import { SessionCaptures } from './session-captures.ts';
import { StoredCapture } from './stored-capture.ts';

/**
 * Keeps the captures of the sessions in use at hand, as they are stored, up to a number of bytes. A new capture can only be
 * compared with earlier ones that are here.
 */
export class ContentsCache {
  readonly #maxBytes: number;
  /** In the order of use. */
  readonly #contents = new Map<SessionEntry, { captures: SessionCaptures; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Everything that is recorded of a session, read from its log as far as it is not here. */
  async get(entry: SessionEntry): Promise<SessionCaptures> {
    let captures = this.#contents.get(entry)?.captures;
    while (captures === undefined || captures.count < entry.captureIds.length) {
      const loaded = await load(entry);
      // Anyone who was faster may have added to it since, and what is added to is to be the same for all.
      const known = this.#contents.get(entry)?.captures;
      captures = known !== undefined && known.count >= loaded.count ? known : loaded;
    }
    this.put(entry, captures);
    return captures;
  }

  /** Notes that a session was used, or has grown. */
  put(entry: SessionEntry, captures: SessionCaptures): void {
    this.drop(entry);
    this.#contents.set(entry, { captures, bytes: captures.bytes });
    this.#bytes += captures.bytes;
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

async function load({ log, captureIds }: SessionEntry): Promise<SessionCaptures> {
  const captures = new SessionCaptures();
  // Behind those that are recorded may be some that are on their way.
  for (const bytes of await log.captures(captureIds.length)) captures.load(new StoredCapture(bytes));
  return captures;
}
