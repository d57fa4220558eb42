/** A map that forgets its oldest entries, for records that would otherwise grow with every session ever seen. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#limit) this.delete(oldest!);
    return this;
  }
}
