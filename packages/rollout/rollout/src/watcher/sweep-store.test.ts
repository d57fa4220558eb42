import { backgroundClock, Semaphore } from '@art/ground';
import { type ListPage, MemoryResultStore, type ListRange, type ResultStore, StoreError } from '@art/store';
import { describe, expect, it } from 'vitest';
import { OutstandingKeys } from './outstanding-keys.ts';
import { sweepStore, type SweepFailure } from './sweep-store.ts';

const bucket = 'b';

interface Seen {
  found: string[];
  lists: number;
  heads: number;
}

/** Sweeps as the watcher does: what one sweep learns of the gaps is known to the next. */
class Sweeper {
  readonly outstanding = new OutstandingKeys();
  readonly #store: ResultStore;

  constructor(store: ResultStore, keys: string[]) {
    this.#store = store;
    for (const key of keys) this.outstanding.add(key, 0, () => undefined);
  }

  async run(): Promise<Seen & { failure: SweepFailure | undefined; listError: unknown }> {
    const seen: Seen = { found: [], lists: 0, heads: 0 };
    const store: ResultStore = {
      ...this.#store,
      put: (at, body) => this.#store.put(at, body),
      get: (at) => this.#store.get(at),
      exists: (at) => {
        seen.heads += 1;
        return this.#store.exists(at);
      },
    };
    const { list } = this.#store;
    if (list !== undefined) {
      store.list = (range: ListRange) => {
        seen.lists += 1;
        return list.call(this.#store, range);
      };
    }
    const keys = this.outstanding.sorted();
    const { failure, listError } = await sweepStore({
      store,
      keys: new Map([[bucket, keys]]),
      canList: store.list !== undefined,
      listCostInHeads: 12.5,
      limit: new Semaphore(4),
      clock: backgroundClock,
      requestTimeoutMs: 1_200,
      signal: new AbortController().signal,
      onFound: (_, key) => {
        seen.found.push(key);
        this.outstanding.take(key);
      },
    });
    return { ...seen, failure, listError, found: seen.found.toSorted() };
  }
}

async function memoryWith(stored: string[]): Promise<MemoryResultStore> {
  const memory = new MemoryResultStore();
  for (const key of stored) await memory.put({ bucket, key }, '{}');
  return memory;
}

async function sweep(stored: string[], keys: string[]): Promise<Seen> {
  const { found, lists, heads } = await new Sweeper(await memoryWith(stored), keys).run();
  return { found, lists, heads };
}

const key = (index: number): string => `run/b1-${String(index).padStart(8, '0')}/s.json`;
const keys = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, offset) => key(from + offset));

function listRefused(code: 'ART_STORE_DENIED' | 'ART_STORE_FAILED', retryable: boolean): StoreError {
  return new StoreError({ code, operation: 'list', bucket, key: 'run/', message: 'no', retryable });
}

describe('sweepStore', () => {
  it('asks for a few keys one by one', async () => {
    expect(await sweep([key(1), key(99)], keys(0, 5))).toEqual({ found: [key(1)], lists: 0, heads: 5 });
  });

  it('covers many with one page', async () => {
    const stored = keys(10, 20);
    expect(await sweep(stored, keys(0, 500))).toEqual({ found: stored, lists: 1, heads: 0 });
  });

  it('does not page through a long history before its batch', async () => {
    const history = Array.from({ length: 5_000 }, (_, index) => `run/a-${index}/s.json`);
    expect(await sweep([...history, key(3)], keys(0, 50))).toEqual({ found: [key(3)], lists: 1, heads: 0 });
  });

  it('jumps over what is finished to the next open key', async () => {
    const open = [...keys(0, 20), ...keys(4_000, 4_020)];
    const sweeper = new Sweeper(await memoryWith(keys(0, 4_010)), open);
    const first = await sweeper.run();
    expect(first.found).toEqual([...keys(0, 20), ...keys(4_000, 4_010)].toSorted());
    expect(first.lists + first.heads / 12.5).toBeLessThanOrEqual(4);
    // Ten keys are left: asking for each is cheaper than a page.
    expect(await sweeper.run()).toMatchObject({ found: [], lists: 0, heads: 10 });
  });

  it('learns where results of others make pages useless', async () => {
    const stored = keys(0, 40_000);
    const open = Array.from({ length: 30 }, (_, index) => `${key(index * 1_000)}.open`);
    const sweeper = new Sweeper(await memoryWith(stored), open);
    const first = await sweeper.run();
    expect(first.heads).toBeGreaterThanOrEqual(28);
    expect(first.lists).toBeLessThanOrEqual(1);
  });

  it('lists among the results of others where enough of the keys are on a page', async () => {
    const stored = keys(0, 20_000);
    // One in ten of the user's ids, in no order of time.
    const open = Array.from({ length: 2_000 }, (_, index) => `${key(index * 10)}.open`);
    const memory = await memoryWith([...stored, ...open.slice(500, 520)]);
    const sweeper = new Sweeper(memory, open);
    const first = await sweeper.run();
    expect(first.found).toEqual(open.slice(500, 520));
    const second = await sweeper.run();
    expect(second.heads).toBeLessThanOrEqual(13);
    expect(second.lists).toBeGreaterThanOrEqual(20);
    expect(second.lists).toBeLessThanOrEqual(24);
  });

  it('finds keys whatever their alphabet', async () => {
    const odd = ['\uffff', '\u{1f600}', '\ue000', 'é', 'a b', '%41', 'Z'].flatMap((part) => [
      `r/${part}/1.json`,
      `r/${part}/2.json`,
    ]);
    const result = await sweep(odd, odd);
    expect(result).toEqual({ found: odd.toSorted(), lists: 1, heads: 0 });
  });

  it.each([
    [2, undefined],
    [3, { error: { message: 'SlowDown' }, probe: { kind: 'head', bucket, key: key(0) } }],
  ])('asks for all of five keys although %i answers fail, and says so of most', async (failing, failure) => {
    const memory = await memoryWith([key(3)]);
    const store: ResultStore = {
      put: (at, body) => memory.put(at, body),
      get: (at) => memory.get(at),
      exists: (at) => (at.key < key(failing) ? Promise.reject(new Error('SlowDown')) : memory.exists(at)),
    };
    const result = await new Sweeper(store, keys(0, 5)).run();
    expect(result).toMatchObject({ found: [key(3)], heads: 5 + failing });
    if (failure === undefined) expect(result.failure).toBeUndefined();
    else expect(result.failure).toMatchObject(failure);
  });

  it('tries what failed once more at once', async () => {
    const memory = await memoryWith(keys(0, 40));
    let calls = 0;
    const store: ResultStore = {
      put: (at, body) => memory.put(at, body),
      get: (at) => memory.get(at),
      exists: (at) => memory.exists(at),
      list: (range) => ((calls += 1) === 1 ? Promise.reject(new Error('reset')) : memory.list(range)),
    };
    expect(await new Sweeper(store, keys(0, 50)).run()).toMatchObject({
      failure: undefined,
      lists: 2,
      found: keys(0, 40),
    });
  });

  it.each<[what: string, list: (page: ListPage) => ListPage | Promise<never>]>([
    ['refuses to list', () => Promise.reject(listRefused('ART_STORE_DENIED', true))],
    ['takes no start-after', () => Promise.reject(listRefused('ART_STORE_FAILED', false))],
    ['lists unsorted', ({ keys: listed, ...page }) => ({ ...page, keys: listed.toReversed() })],
    ['passes over start-after', ({ keys: listed, ...page }) => ({ ...page, keys: [key(0), ...listed] })],
    ['passes over the prefix', ({ keys: listed, ...page }) => ({ ...page, keys: [...listed, 'zzz'] })],
  ])('asks key by key, in the same sweep, where the store %s', async (_what, odd) => {
    const memory = await memoryWith(keys(10, 40));
    const store: ResultStore = {
      put: (at, body) => memory.put(at, body),
      get: (at) => memory.get(at),
      exists: (at) => memory.exists(at),
      list: async (range) => odd(await memory.list(range)),
    };
    const { found, lists, heads, failure, listError } = await new Sweeper(store, keys(5, 50)).run();
    expect({ found, lists, heads, failure }).toEqual({
      found: keys(10, 40),
      lists: 1,
      heads: 45,
      failure: undefined,
    });
    expect(listError).toBeInstanceOf(Error);
  });

  it('does not wait for a store that stalls', async () => {
    const store: ResultStore = {
      put: () => Promise.resolve({ kind: 'stored' }),
      get: () => Promise.resolve(undefined),
      exists: () => new Promise(() => undefined),
    };
    // Held open by the test: the watcher's own timers do not keep a process alive.
    const alive = setInterval(() => undefined, 1_000);
    const { heads, failure } = await new Sweeper(store, keys(0, 2)).run();
    clearInterval(alive);
    expect(heads).toBe(2);
    expect(failure?.error).toMatchObject({ message: 'the store did not answer within 1200 ms' });
  });
});
