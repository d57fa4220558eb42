/** A map that forgets its oldest entries, for records that would otherwise grow with every session ever seen. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): Value[] {
    return [...this.#entries.values()];
  }
}
