import type { ResponseItems } from './wire-translation.ts';

/**
 * Keeps output items in memory, the most recently used ones up to a bound. Ids are random, so an agent can name only what
 * it was given.
 */
export class MemoryResponseItems implements ResponseItems {
  // A Map keeps its insertion order: the first entry is the one that was used longest ago.
  readonly #items = new Map<string, string>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes most text to keep, counted as two bytes a character; the items that were used longest ago go first */
  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  remember(id: string, item: string): void {
    this.#forget(id);
    // A slice would keep the whole reply alive that it was cut from.
    this.#items.set(id, Buffer.from(item, 'utf16le').toString('utf16le'));
    this.#bytes += bytesOf(id, item);
    for (const oldest of this.#items.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest);
    }
  }

  recall(id: string): string | undefined {
    const item = this.#items.get(id);
    if (item === undefined) return undefined;
    this.#items.delete(id);
    this.#items.set(id, item);
    return item;
  }

  #forget(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined) return;
    this.#items.delete(id);
    this.#bytes -= bytesOf(id, item);
  }
}

function bytesOf(id: string, item: string): number {
  return 2 * (id.length + item.length);
}
