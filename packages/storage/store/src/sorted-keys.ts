import type { ListPage } from './result-store.ts';

/** The keys of a bucket in memory, in the order in which S3 lists them. */
export class SortedKeys {
  readonly #keys: string[] = [];
  /** Keys come one by one and are listed in pages, so they are put in order when somebody asks. */
  #isSorted = true;

  /** @param key one that is not there yet */
  add(key: string): void {
    this.#keys.push(key);
    this.#isSorted = false;
  }

  delete(key: string): void {
    const index = this.#keys.indexOf(key);
    if (index >= 0) this.#keys.splice(index, 1);
  }

  page(range: { prefix: string; startAfter?: string | undefined; limit: number }): ListPage {
    const { prefix, startAfter, limit } = range;
    // What was in order stays its own run, which makes this linear.
    if (!this.#isSorted) this.#keys.sort(compareKeys);
    this.#isSorted = true;
    const isAhead = (key: string): boolean =>
      compareKeys(key, prefix) < 0 || (startAfter !== undefined && compareKeys(key, startAfter) <= 0);
    const keys: string[] = [];
    for (let index = this.#firstNot(isAhead); index < this.#keys.length; index += 1) {
      const key = this.#keys[index]!;
      if (!key.startsWith(prefix)) break;
      if (keys.length === limit) return { keys, truncated: true };
      keys.push(key);
    }
    return { keys, truncated: false };
  }

  #firstNot(isAhead: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAhead(this.#keys[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Orders keys as S3 lists them: by the bytes of their UTF-8 form. JavaScript's `<` compares UTF-16 units, which puts
 * an emoji (a surrogate pair) before U+FFFF although its UTF-8 bytes are greater.
 */
export function compareKeys(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

// Surrogates stand for code points above U+FFFF, so in UTF-8 they come after every other unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
