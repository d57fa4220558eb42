import type { ResultLocation, ResultStore, StoreWatch } from '@art/store';

export interface StorePushHandlers {
  onKey: (bucket: string, key: string) => void;
  /** A watch has begun: what was stored until now was not pushed and must be looked for. */
  onReady: () => void;
}

/**
 * Lets a store that can push report new keys. Covers the first path segment of a key (its experiment), so a batch needs
 * one watch. Whatever a push misses is left to the sweeps.
 */
export class StorePush {
  readonly #store: ResultStore;
  readonly #handlers: StorePushHandlers;
  #watches = new Map<string, Watch>();

  constructor(store: ResultStore, handlers: StorePushHandlers) {
    this.#store = store;
    this.#handlers = handlers;
  }

  /** True if every covered range is being watched. */
  get isWorking(): boolean {
    return (
      this.#watches.size > 0 &&
      [...this.#watches.values()].every(
        (watch) => watch.handle !== undefined && watch.handle.isWorking !== false,
      )
    );
  }

  /** Sees to it that this key's experiment is watched. */
  cover(at: ResultLocation): void {
    const prefix = at.key.slice(0, at.key.indexOf('/') + 1);
    const name = `${at.bucket}\n${prefix}`;
    if (this.#watches.has(name) || this.#store.watch === undefined) return;
    const abort = new AbortController();
    const watch: Watch = {
      handle: undefined,
      abort,
      opened: this.#store.watch(
        { bucket: at.bucket, prefix },
        (key) => this.#handlers.onKey(at.bucket, key),
        {
          signal: abort.signal,
        },
      ),
    };
    this.#watches.set(name, watch);
    watch.opened.then(
      (handle) => {
        watch.handle = handle;
        if (this.#watches.get(name) === watch) this.#handlers.onReady();
      },
      // A store that cannot push now is swept; the next rollout tries again.
      () => {
        if (this.#watches.get(name) === watch) this.#watches.delete(name);
      },
    );
  }

  /** Ends all watches; the next `cover` starts anew. */
  async close(): Promise<void> {
    const watches = this.#watches;
    this.#watches = new Map();
    await Promise.allSettled(
      [...watches.values()].map(async ({ opened, abort }) => {
        abort.abort(new Error('no longer needed'));
        await (await opened).close();
      }),
    );
  }
}

interface Watch {
  /** Undefined until it is open. */
  handle: StoreWatch | undefined;
  abort: AbortController;
  opened: Promise<StoreWatch>;
}

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

  /** True if the key was there; it is forgotten then. */
  take(bucket: string, key: string): boolean {
    return this.#names.delete(`${bucket}\n${key}`);
  }

  clear(): void {
    this.#names.clear();
  }
}
