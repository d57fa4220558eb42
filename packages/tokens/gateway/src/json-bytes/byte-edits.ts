/** Changes to a run of bytes, made in one go at the end. They are added from front to back and do not overlap. */
export class ByteEdits {
  // Start, end and index of the replacement (-1: none), one after the other: most replies have a few, streams have many.
  readonly #places: number[] = [];
  readonly #replacements: Buffer[] = [];

  get count(): number {
    return this.#places.length / 3;
  }

  /** Takes out what is from `start` to before `end`. */
  cut(start: number, end: number): void {
    this.#places.push(start, end, -1);
  }

  /** Puts these bytes in place of what is from `start` to before `end`. */
  replace(start: number, end: number, bytes: Buffer): void {
    this.#places.push(start, end, this.#replacements.length);
    this.#replacements.push(bytes);
  }

  /** Forgets what was added after there were `count` of them. */
  rewind(count: number): void {
    this.#places.length = count * 3;
  }

  /** The same changes for bytes in which every place is another one; the order of places stays. */
  moved(place: (at: number) => number): ByteEdits {
    const moved = new ByteEdits();
    this.#places.forEach((value, index) => {
      moved.#places.push(index % 3 === 2 ? value : place(value));
    });
    moved.#replacements.push(...this.#replacements);
    return moved;
  }

  /** The bytes with the changes; the same object where there are none. */
  apply(bytes: Buffer, from = 0, to: number = bytes.length): Buffer {
    if (this.#places.length === 0)
      return from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
    const parts: Buffer[] = [];
    let kept = from;
    for (let index = 0; index < this.#places.length; index += 3) {
      const start = this.#places[index] as number;
      if (start > kept) parts.push(bytes.subarray(kept, start));
      const replacement = this.#replacements[this.#places[index + 2] as number];
      if (replacement !== undefined) parts.push(replacement);
      kept = this.#places[index + 1] as number;
    }
    if (kept < to) parts.push(bytes.subarray(kept, to));
    return Buffer.concat(parts);
  }
}

/**
 * Takes members out of one object, with the right commas, while it is walked over: `begin` at every member, `end` when its
 * value has been read, `finish` when the object has ended.
 */
export class MemberCuts {
  readonly #edits: ByteEdits;
  #keyStart = -1;
  #editsBefore = 0;
  #previousEnd = -1;
  // Members that go before any that stays take the comma after them along: it is cut at the next member's name.
  #leadingStart = -1;
  /** How many members stay. */
  kept = 0;

  constructor(edits: ByteEdits) {
    this.#edits = edits;
  }

  begin(keyStart: number): void {
    this.#endLeading(keyStart);
    this.#keyStart = keyStart;
    this.#editsBefore = this.#edits.count;
  }

  end(valueEnd: number, cut: boolean): void {
    if (cut) {
      // What was to be cut inside it goes with the whole.
      this.#edits.rewind(this.#editsBefore);
      if (this.kept > 0) this.#edits.cut(this.#previousEnd, valueEnd);
      else this.#leadingStart = this.#keyStart;
    } else this.kept += 1;
    this.#previousEnd = valueEnd;
  }

  finish(): void {
    this.#endLeading(this.#previousEnd);
  }

  #endLeading(at: number): void {
    if (this.#leadingStart === -1) return;
    this.#edits.cut(this.#leadingStart, at);
    this.#leadingStart = -1;
  }
}
