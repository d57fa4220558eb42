/** A log in memory that keeps its last entries and numbers all of them from 1, so that a reader knows what it missed. */
export class NumberedLog<Entry extends object> {
  readonly #limit: number;
  /** Up to twice the limit, so that old entries are thrown away rarely and many at once. */
  #entries: (Entry & { seq: number })[] = [];
  #lastSeq = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of the newest entry; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  add(entry: Entry): Entry & { seq: number } {
    this.#lastSeq += 1;
    const numbered = { seq: this.#lastSeq, ...entry };
    this.#entries.push(numbered);
    if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
    return numbered;
  }

  /** What is kept behind an entry, as copies; without a number all that is kept. */
  after(seq = 0): (Entry & { seq: number })[] {
    const oldest = this.#lastSeq - Math.min(this.#entries.length, this.#limit) + 1;
    const count = this.#lastSeq - Math.max(seq + 1, oldest) + 1;
    return count <= 0 ? [] : this.#entries.slice(-count).map((entry) => ({ ...entry }));
  }
}
