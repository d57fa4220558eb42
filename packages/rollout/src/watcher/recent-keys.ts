/**
 * Keys that were pushed before anybody waited for them: an agent can finish before the answer that it has accepted
 * arrives. Bounded, since most keys of a shared store concern somebody else.
 */
export class RecentKeys {
  readonly #capacity: number;
  readonly #names = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(bucket: string, key: string): void {
    this.#names.add(`${bucket}\n${key}`);
    if (this.#names.size <= this.#capacity) return;
    const [oldest] = this.#names;
    if (oldest !== undefined) this.#names.delete(oldest);
  }

  /** Whether the key was there; it is forgotten then. */
  take(bucket: string, key: string): boolean {
    return this.#names.delete(`${bucket}\n${key}`);
  }

  clear(): void {
    this.#names.clear();
  }
}
