/** A `Float64Array` that grows while it is filled. */
export class GrowingFloats {
  #values = new Float64Array(16);
  length = 0;

  push(value: number): void {
    this.#reserve(this.length + 1);
    this.#values[this.length] = value;
    this.length += 1;
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
