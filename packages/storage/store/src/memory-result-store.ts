import type { CallOptions } from '@art/protocol';
import { checkBody, checkListRange, checkLocation, checkWatchRange } from './check-store-input.ts';
import type {
  ListPage,
  ListRange,
  PutOptions,
  PutOutcome,
  ResultLocation,
  ResultStore,
  StoreWatch,
  WatchRange,
} from './result-store.ts';
import { SortedKeys } from './sorted-keys.ts';

interface Bucket {
  bodies: Map<string, string>;
  keys: SortedKeys;
}

interface Listener {
  range: WatchRange;
  onKey: (key: string) => void;
}

/**
 * Keeps results in the memory of this process: for tests, and for agents that run in the process of their client.
 * Buckets need not be created. `watch` reports a key in the microtask after its `put`.
 */
export class MemoryResultStore implements ResultStore {
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<Listener>();

  async put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
    checkLocation('put', at);
    checkBody(at, body);
    options.signal?.throwIfAborted();
    const bucket = this.#bucket(at.bucket);
    const isNew = !bucket.bodies.has(at.key);
    if (options.ifAbsent === true && !isNew) return { kind: 'exists' };
    bucket.bodies.set(at.key, body);
    if (isNew) bucket.keys.add(at.key);
    this.#report(at);
    return { kind: 'stored' };
  }

  async get(at: ResultLocation, options: CallOptions = {}): Promise<string | undefined> {
    checkLocation('get', at);
    options.signal?.throwIfAborted();
    return this.#buckets.get(at.bucket)?.bodies.get(at.key);
  }

  async exists(at: ResultLocation, options: CallOptions = {}): Promise<boolean> {
    checkLocation('exists', at);
    options.signal?.throwIfAborted();
    return this.#buckets.get(at.bucket)?.bodies.has(at.key) ?? false;
  }

  async list(range: ListRange, options: CallOptions = {}): Promise<ListPage> {
    const { limit } = checkListRange(range);
    options.signal?.throwIfAborted();
    const bucket = this.#buckets.get(range.bucket);
    return bucket?.keys.page({ ...range, limit }) ?? { keys: [], truncated: false };
  }

  /** `signal` covers the start only; end the watch with `close()`. */
  async watch(
    range: WatchRange,
    onKey: (key: string) => void,
    options: CallOptions = {},
  ): Promise<StoreWatch> {
    checkWatchRange('watch', range);
    options.signal?.throwIfAborted();
    const listener: Listener = { range: { ...range }, onKey };
    this.#listeners.add(listener);
    return {
      close: async () => {
        this.#listeners.delete(listener);
      },
    };
  }

  #bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = { bodies: new Map(), keys: new SortedKeys() };
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  #report(at: ResultLocation): void {
    const { bucket, key } = at;
    for (const listener of this.#listeners) {
      if (listener.range.bucket !== bucket || !key.startsWith(listener.range.prefix)) continue;
      // Not inside `put`: a listener that throws must not make the writer believe that nothing was stored.
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener.onKey(key);
      });
    }
  }
}
