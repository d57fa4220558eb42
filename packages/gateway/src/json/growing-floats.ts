const mostKept = 65_536;

/** A `Float64Array` that grows while it is filled, and may be filled again. */
export class GrowingFloats {
  #values: Float64Array;
  length = 0;

  /** @param capacity how many are expected. @default 16 */
  constructor(capacity = 16) {
    this.#values = new Float64Array(capacity);
  }

  push(value: number): void {
    this.#reserve(this.length + 1);
    this.#values[this.length] = value;
    this.length += 1;
  }

  append(values: Float64Array): void {
    this.#reserve(this.length + values.length);
    this.#values.set(values, this.length);
    this.length += values.length;
  }

  /** Begins anew, in the same memory unless that has become large. */
  clear(): void {
    this.length = 0;
    if (this.#values.length > mostKept) this.#values = new Float64Array(mostKept);
  }

  /** A copy of what was filled. */
  toArray(): Float64Array {
    return this.#values.slice(0, this.length);
  }

  #reserve(length: number): void {
    if (length <= this.#values.length) return;
    const larger = new Float64Array(Math.max(length, this.length * 2));
    larger.set(this.#values);
    this.#values = larger;
  }
}
