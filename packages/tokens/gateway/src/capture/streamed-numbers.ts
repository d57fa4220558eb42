/** Arrays that a sequence may be made of. */
export type NumberArray = Int32Array | Float64Array;

/**
 * Numbers that arrive with the events of a stream. Most engines send what is new; some send with each event all that there
 * is so far. As long as every array begins with the one before it, both readings are kept open: the last array and the
 * lengths of all of them are enough for either.
 */
export class StreamedNumbers {
  // While both readings are open.
  #last: NumberArray | undefined;
  readonly #lengths: number[] = [];
  // From then on: all that came, one after the other.
  #all: number[] | undefined;

  /** How many there are if every array was new. */
  get deltaLength(): number {
    return this.#all?.length ?? this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  /** How many there are if every array was the whole so far; undefined where that cannot be. */
  get cumulativeLength(): number | undefined {
    return this.#all === undefined && this.#lengths.length > 1 ? this.#last!.length : undefined;
  }

  /**
   * True if each array was longer than the one before. Arrays of new tokens hardly ever are, with the same beginning.
   */
  get looksCumulative(): boolean {
    const lengths = this.#lengths;
    if (this.cumulativeLength === undefined) return false;
    return lengths.every((length, index) => index === 0 || length > lengths[index - 1]!);
  }

  /** Takes the next array; it is not to be changed afterwards. */
  add(values: NumberArray): void {
    if (values.length === 0) return;
    if (this.#all === undefined && !beginsWith(values, this.#last)) this.#all = this.#spread();
    if (this.#all !== undefined) append(this.#all, values);
    else {
      this.#last = values;
      this.#lengths.push(values.length);
    }
  }

  /** The numbers in one of the two readings. */
  toArray(cumulative: boolean): NumberArray | number[] {
    if (this.#all !== undefined) return this.#all;
    return cumulative || this.#lengths.length < 2 ? (this.#last ?? []) : this.#spread();
  }

  // From the last array and the lengths to all arrays one after the other: each of them is a beginning of the last.
  #spread(): number[] {
    const all: number[] = [];
    for (const length of this.#lengths) append(all, this.#last!.subarray(0, length));
    return all;
  }
}

// Spreading into `push` would overflow the stack with long answers.
function append(all: number[], values: NumberArray): void {
  for (const value of values) all.push(value);
}

function beginsWith(values: NumberArray, start: NumberArray | undefined): boolean {
  if (start === undefined) return true;
  if (values.length < start.length) return false;
  for (let index = 0; index < start.length; index += 1) {
    if (!Object.is(values[index], start[index])) return false;
  }
  return true;
}
