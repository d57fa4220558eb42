import type { WatchRange } from '@art/store';

export interface RangeListener {
  range: WatchRange;
  onKey: (key: string) => void;
}

/** Listeners by the keys that they watch. */
export class WatchedRanges {
  readonly #listeners = new Map<string, Set<RangeListener>>();
  /** Every prefix that was ever watched, by bucket: results of an experiment may come after its watch has ended. */
  readonly #known = new Map<string, Set<string>>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: RangeListener): void {
    const { bucket, prefix } = listener.range;
    addTo(this.#listeners, bucket, listener);
    addTo(this.#known, bucket, prefix);
  }

  delete(listener: RangeListener): void {
    const { bucket } = listener.range;
    const listeners = this.#listeners.get(bucket);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(bucket);
  }

  has(listener: RangeListener): boolean {
    return this.#listeners.get(listener.range.bucket)?.has(listener) === true;
  }

  clear(): void {
    this.#listeners.clear();
  }

  /** True if anything in this bucket is or was watched. */
  hasKnown(bucket: string): boolean {
    return this.#known.has(bucket);
  }

  /** True if a range that is or was watched holds this key. */
  covers(bucket: string, key: string): boolean {
    return [...(this.#known.get(bucket) ?? [])].some((prefix) => key.startsWith(prefix));
  }

  /** Tells everyone whose range holds this key. */
  report(bucket: string, key: string): void {
    for (const listener of this.#listeners.get(bucket) ?? []) {
      if (!key.startsWith(listener.range.prefix)) continue;
      // On its own turn: a listener that throws must neither silence the others nor stop the receiver.
      queueMicrotask(() => {
        if (this.has(listener)) listener.onKey(key);
      });
    }
  }
}

function addTo<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
  const set = sets.get(name);
  if (set === undefined) sets.set(name, new Set([value]));
  else set.add(value);
}
