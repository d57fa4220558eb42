/** Finds where a long text ends, and remembers where it has looked, so that each escape in it does not begin the search anew. */
export class TextSearch {
  readonly #bytes: Buffer;
  #from = 0;
  #quote = -1;
  #backslash = -1;
  #clearUntil = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The first quote at `at` or behind it; Infinity where there is none. */
  quoteFrom(at: number): number {
    if (at < this.#from || at > this.#quote) {
      const found = this.#bytes.indexOf(0x22, at);
      this.#from = at;
      this.#quote = found === -1 ? Number.POSITIVE_INFINITY : found;
      this.#backslash = -1;
      this.#clearUntil = -1;
    }
    return this.#quote;
  }

  /** The first backslash from `at` up to the quote that was found last; Infinity where there is none. */
  backslashFrom(at: number): number {
    if (this.#backslash < at && this.#clearUntil < this.#quote) {
      const found = this.#bytes.subarray(at, this.#quote).indexOf(0x5c);
      if (found === -1) this.#clearUntil = this.#quote;
      else this.#backslash = at + found;
    }
    return this.#backslash < at ? Number.POSITIVE_INFINITY : this.#backslash;
  }
}
