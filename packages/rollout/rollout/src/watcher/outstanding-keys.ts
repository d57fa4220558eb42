import { compareKeys } from '@art/store';

/** A key that is waited for. */
export interface OutstandingKey {
  readonly key: string;
  /** Since when, monotonic milliseconds. */
  readonly sinceMs: number;
  /** Keys in the store between the one before it in the list and this one, as far as is known: finished or foreign. */
  gap: number;
  /** Tells the waiter; undefined once it was found or given up. */
  found: (() => void) | undefined;
}

/**
 * The keys that are waited for in one bucket, in the order in which stores list them. Changes are only noted; `sorted`
 * works them in with one pass, so that 50,000 keys cost a sweep milliseconds and a rollout a few hundred bytes.
 */
export class OutstandingKeys {
  readonly #byKey = new Map<string, OutstandingKey>();
  #sorted: OutstandingKey[] = [];
  #added: OutstandingKey[] = [];
  #hasGone = false;

  get size(): number {
    return this.#byKey.size;
  }

  /** Since when the oldest one is waited for; undefined where there is none. */
  get oldestMs(): number | undefined {
    for (const { sinceMs } of this.#byKey.values()) return sinceMs;
    return undefined;
  }

  add(key: string, nowMs: number, found: () => void): void {
    const entry: OutstandingKey = { key, gap: 0, found, sinceMs: nowMs };
    this.#byKey.set(key, entry);
    this.#added.push(entry);
  }

  /** @returns the key as it was; undefined when nobody waits for it. */
  take(key: string): OutstandingKey | undefined {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return undefined;
    const taken = { ...entry };
    entry.found = undefined;
    this.#byKey.delete(key);
    this.#hasGone = true;
    return taken;
  }

  /** All of them in order. The entries are shared: what a sweep learns of their gaps stays. */
  sorted(): readonly OutstandingKey[] {
    if (this.#hasGone) this.#dropGone();
    if (this.#added.length > 0) this.#mergeAdded();
    return this.#sorted;
  }

  // A finished key continues being listed, so it widens the gap before the next one that is open.
  #dropGone(): void {
    let carried = 0;
    this.#sorted = this.#sorted.filter((entry) => {
      if (entry.found === undefined) {
        carried += entry.gap + 1;
        return false;
      }
      entry.gap += carried;
      carried = 0;
      return true;
    });
    this.#added = this.#added.filter((entry) => entry.found !== undefined);
    this.#hasGone = false;
  }

  #mergeAdded(): void {
    const added = this.#added.toSorted((a, b) => compareKeys(a.key, b.key));
    this.#added = [];
    const old = this.#sorted;
    const last = old.at(-1);
    if (last === undefined || compareKeys(last.key, added[0]!.key) < 0) {
      // The usual case: generated ids come in order.
      this.#sorted = old.concat(added);
      return;
    }
    const merged: OutstandingKey[] = [];
    let next = 0;
    for (const entry of old) {
      while (next < added.length && compareKeys(added[next]!.key, entry.key) < 0) merged.push(added[next++]!);
      merged.push(entry);
    }
    this.#sorted = merged.concat(added.slice(next));
  }
}

/** At most so many of the values, evenly chosen, the first one among them. */
export function evenSample<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, place) => values[Math.floor((place * values.length) / most)]!);
}
