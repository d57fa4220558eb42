/** A `Float64Array` that grows while it is filled. */
export class GrowingFloats {
  #values: Float64Array;
  length = 0;

  /** @param capacity how many are expected. @default 16 */
  constructor(capacity = 16) {
    this.#values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(Math.max(16, this.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  /** What was filled, as an array of its own. */
  toArray(): Float64Array {
    return this.length === this.#values.length ? this.#values : this.#values.slice(0, this.length);
  }
}
