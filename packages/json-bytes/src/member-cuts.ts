import type { ByteEdits } from './byte-edits.ts';

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
