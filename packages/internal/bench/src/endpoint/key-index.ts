import { compareKeys } from '@art/store';

export interface KeyPage {
  keys: string[];
  isTruncated: boolean;
}

const chunkSize = 1_024;

/** Keys in S3's order. Pieces of bounded length keep an insertion cheap beside a million older keys. */
export class KeyIndex {
  readonly #chunks: string[][];

  /** @param sorted in the order of `compareKeys`, without repetitions */
  constructor(sorted: readonly string[] = []) {
    this.#chunks = Array.from({ length: Math.max(1, Math.ceil(sorted.length / chunkSize)) }, (_, index) =>
      sorted.slice(index * chunkSize, (index + 1) * chunkSize),
    );
  }

  add(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at]!;
    const position = firstNotBefore(chunk, key);
    if (chunk[position] === key) return;
    chunk.splice(position, 0, key);
    if (chunk.length > 2 * chunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(chunkSize));
  }

  has(key: string): boolean {
    const chunk = this.#chunks[this.#chunkOf(key)]!;
    return chunk[firstNotBefore(chunk, key)] === key;
  }

  /** Keys that begin with `prefix` and come after `startAfter`, at most `limit` of them. */
  page(range: { prefix: string; startAfter: string; limit: number }): KeyPage {
    const { prefix, startAfter, limit } = range;
    const from = compareKeys(startAfter, prefix) > 0 ? startAfter : prefix;
    const keys: string[] = [];
    let at = this.#chunkOf(from);
    let position = firstNotBefore(this.#chunks[at]!, from);
    for (; at < this.#chunks.length; at += 1, position = 0) {
      const chunk = this.#chunks[at]!;
      for (; position < chunk.length; position += 1) {
        const key = chunk[position]!;
        if (key === startAfter) continue;
        if (!key.startsWith(prefix)) return { keys, isTruncated: false };
        if (keys.length === limit) return { keys, isTruncated: limit > 0 };
        keys.push(key);
      }
    }
    return { keys, isTruncated: false };
  }

  /** The piece that has the key, or would. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (compareKeys(this.#chunks[middle]![0]!, key) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function firstNotBefore(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sorted[middle]!, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
