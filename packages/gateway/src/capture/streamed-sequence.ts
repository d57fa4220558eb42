/** Arrays that a sequence may be made of. */
export type NumberArray = Int32Array | Float64Array;

/**
 * Numbers that arrive with the events of a stream. Most engines send what is new; some send with each event all that there
 * is so far. As long as every array begins with the one before it, both readings are kept open: the last array and the
 * lengths of all of them are enough for either.
 */
export class StreamedSequence<T extends NumberArray> {
  readonly #create: (length: number) => T;
  // While both readings are open: the last array. Otherwise: all that came, one after the other, in `length` places.
  #values: T | undefined;
  #length = 0;
  #lengths: number[] | undefined;

  constructor(create: (length: number) => T) {
    this.#create = create;
  }

  /** How many there are if every array was new. */
  get deltaLength(): number {
    return this.#lengths === undefined
      ? this.#length
      : this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  /** How many there are if every array was the whole so far; undefined where that cannot be. */
  get cumulativeLength(): number | undefined {
    return this.#lengths !== undefined && this.#lengths.length > 1 ? this.#length : undefined;
  }

  /** Whether each array was longer than the one before, which arrays of what is new hardly ever are and begin alike. */
  get looksCumulative(): boolean {
    const lengths = this.#lengths;
    if (lengths === undefined || lengths.length < 2) return false;
    return lengths.every((length, index) => index === 0 || length > (lengths[index - 1] as number));
  }

  /** Takes the next array; it is not to be changed afterwards. */
  add(values: T): void {
    if (values.length === 0) return;
    if (this.#values === undefined) {
      this.#values = values;
      this.#length = values.length;
      this.#lengths = [values.length];
      return;
    }
    if (this.#lengths !== undefined) {
      if (beginsWith(values, this.#values, this.#length)) {
        this.#values = values;
        this.#length = values.length;
        this.#lengths.push(values.length);
        return;
      }
      this.#spread();
    }
    this.#append(values);
  }

  /** The numbers in one of the two readings. */
  toArray(cumulative: boolean): T {
    if (this.#values === undefined) return this.#create(0);
    if (this.#lengths !== undefined && !cumulative) this.#spread();
    return this.#values.length === this.#length ? this.#values : (this.#values.slice(0, this.#length) as T);
  }

  // From the last array and the lengths to all arrays one after the other: each of them is a beginning of the last.
  #spread(): void {
    const last = this.#values as T;
    const lengths = this.#lengths as number[];
    this.#lengths = undefined;
    if (lengths.length === 1) return;
    this.#values = this.#create(
      Math.max(
        32,
        lengths.reduce((sum, length) => sum + length, 0),
      ),
    );
    this.#length = 0;
    for (const length of lengths) this.#append(last.subarray(0, length) as T);
  }

  #append(values: T): void {
    let target = this.#values as T;
    const needed = this.#length + values.length;
    if (needed > target.length) {
      const larger = this.#create(Math.max(32, needed, target.length * 2));
      larger.set(target.subarray(0, this.#length));
      target = larger;
      this.#values = larger;
    }
    target.set(values, this.#length);
    this.#length = needed;
  }
}

function beginsWith(values: NumberArray, start: NumberArray, length: number): boolean {
  if (values.length < length) return false;
  for (let index = 0; index < length; index += 1) {
    if (!Object.is(values[index], start[index])) return false;
  }
  return true;
}
