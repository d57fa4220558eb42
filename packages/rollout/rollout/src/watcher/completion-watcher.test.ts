import { MemoryResultStore, StoreError, type ResultStore } from '@art/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minimalStore } from '../scripted-runtime.fixture.ts';
import { CompletionWatcher } from './completion-watcher.ts';
import type { CompletionWatcherOptions, WatcherTrouble } from './watch-options.ts';

const bucket = 'b';
const key = (index: number): string => `run/b1-${String(index).padStart(8, '0')}/s.json`;
const forever = new AbortController().signal;
let memory: MemoryResultStore;
let requests: { list: number; head: number };
let watcher: CompletionWatcher;

/** The memory store without its push, counted, and answering after `latencyMs`. */
function polled(latencyMs = 40): ResultStore {
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return work();
  };
  return {
    ...minimalStore(memory),
    exists: (at) => {
      requests.head += 1;
      return after(() => memory.exists(at));
    },
    list: (range) => {
      requests.list += 1;
      return after(() => memory.list(range));
    },
  };
}

function watch(store: ResultStore, options: Partial<CompletionWatcherOptions> = {}): CompletionWatcher {
  watcher = new CompletionWatcher({ store, ...options });
  return watcher;
}

beforeEach(() => {
  vi.useFakeTimers();
  memory = new MemoryResultStore();
  requests = { list: 0, head: 0 };
});
afterEach(async () => {
  await watcher.close();
  vi.useRealTimers();
});

/** Stores results at seeded instants and returns by how much each was noticed late. */
async function lags(
  store: ResultStore,
  count: number,
  spreadMs: number,
  options?: Partial<CompletionWatcherOptions>,
): Promise<number[]> {
  const noticing = watch(store, options);
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const found: Promise<number>[] = [];
  for (let index = 0; index < count; index += 1) {
    const storedAtMs = performance.now() + random() * spreadMs;
    setTimeout(() => void memory.put({ bucket, key: key(index) }, '{}'), storedAtMs - performance.now());
    found.push(
      noticing.noticed({ bucket, key: key(index) }, forever).then(() => performance.now() - storedAtMs),
    );
  }
  let isOver = false;
  const all = Promise.all(found).finally(() => (isOver = true));
  for (let step = 0; step < 100_000 && !isOver; step += 1) await vi.advanceTimersByTimeAsync(10);
  return (await all).toSorted((a, b) => a - b);
}

describe('CompletionWatcher', () => {
  it('notices every result within the lag bound and one request', async () => {
    const measured = await lags(polled(), 500, 60_000);
    expect(measured).toHaveLength(500);
    // Timers fire on whole milliseconds.
    expect(measured[0]).toBeGreaterThanOrEqual(-1);
    expect(measured.at(-1)).toBeLessThanOrEqual(1_000 + 2 * 40 + 20);
    // A page a second, and a little more where results were dense.
    expect(requests.list).toBeLessThanOrEqual(70);
  });

  it('looks more often where many results come, and pays no more than that is worth', async () => {
    const measured = await lags(polled(), 3_000, 30_000);
    expect(measured[1_500]).toBeLessThan(250);
    expect((requests.list * 12.5 + requests.head) / 3_000).toBeLessThan(2);
  });

  describe.each([
    { durationMs: 500, jitterMs: 0, most: 1.15 },
    { durationMs: 1_000, jitterMs: 200, most: 1.15 },
    { durationMs: 2_000, jitterMs: 0, most: 1.15 },
    { durationMs: 2_000, jitterMs: 400, most: 1.15 },
    { durationMs: 5_000, jitterMs: 500, most: 1.15 },
  ])('200 rollouts of $durationMs ms, 100 at a time', ({ durationMs, jitterMs, most }) => {
    it(`take at most ${most} times as long as they must, for at most 3 HEADs each`, async () => {
      const noticing = watch(polled());
      let seed = 11;
      const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
      const durations = Array.from({ length: 200 }, () => durationMs + random() * jitterMs);
      const startedMs = performance.now();
      let started = 0;
      const slot = async (): Promise<void> => {
        while (started < durations.length) {
          const index = started++;
          setTimeout(() => void memory.put({ bucket, key: key(index) }, '{}'), durations[index]);
          await noticing.noticed({ bucket, key: key(index) }, forever);
        }
      };
      const work = Promise.all(Array.from({ length: 100 }, slot)).then(() => performance.now() - startedMs);
      await vi.advanceTimersByTimeAsync(30_000);
      const best = Array.from({ length: 100 }, () => 0);
      for (const duration of durations) {
        best.sort((a, b) => a - b);
        best[0]! += duration;
      }
      // What a request takes belongs to what cannot be had any sooner.
      expect(await work).toBeLessThanOrEqual(most * (Math.max(...best) + 2 * 40));
      expect((requests.list * 12.5 + requests.head) / 200).toBeLessThanOrEqual(3);
    });
  });

  it('soon looks at once for agents that answer at once, although nothing is outstanding in between', async () => {
    const store = polled(1);
    const noticing = watch(store);
    let rounds = 0;
    let isOver = false;
    const work = (async () => {
      for (; !isOver; rounds += 1) {
        const names = Array.from({ length: 64 }, (_, index) => key(rounds * 64 + index));
        for (const name of names) await memory.put({ bucket, key: name }, '{}');
        await Promise.all(names.map((name) => noticing.noticed({ bucket, key: name }, forever)));
      }
    })();
    for (let step = 0; step < 1_000; step += 1) await vi.advanceTimersByTimeAsync(10);
    isOver = true;
    await vi.advanceTimersByTimeAsync(2_000);
    await work;
    // Twice a second would be 20 rounds.
    expect(rounds).toBeGreaterThan(150);
    expect((requests.list * 12.5 + requests.head) / (rounds * 64)).toBeLessThan(1);
  });

  it('keeps a lag bound of the user', async () => {
    const measured = await lags(polled(), 30, 30_000, { lagBoundMs: 5_000 });
    expect(measured.at(-1)).toBeLessThanOrEqual(5_100);
    expect(measured.at(-1)).toBeGreaterThan(2_000);
    expect(requests.list).toBeLessThanOrEqual(8);
  });

  it('is told at once by a store that pushes, and hardly asks it', async () => {
    const heads = vi.spyOn(memory, 'exists');
    const lists = vi.spyOn(memory, 'list');
    const measured = await lags(memory, 200, 20_000);
    expect(measured.at(-1)).toBeLessThanOrEqual(10);
    expect(heads.mock.calls.length + lists.mock.calls.length).toBeLessThanOrEqual(15);
  });

  it('finds what a push has missed', async () => {
    const deaf: ResultStore = {
      ...polled(),
      watch: () => Promise.resolve({ close: () => Promise.resolve() }),
    };
    const measured = await lags(deaf, 20, 10_000);
    expect(measured.at(-1)).toBeLessThanOrEqual(5_100);
  });

  it('sweeps at its usual pace while an open push says that it does not work', async () => {
    const dead: ResultStore = {
      ...polled(),
      watch: () => Promise.resolve({ isWorking: false, close: () => Promise.resolve() }),
    };
    expect((await lags(dead, 50, 20_000)).at(-1)).toBeLessThanOrEqual(1_100);
  });

  it('sweeps at its usual pace when the push cannot be set up', async () => {
    const broken: ResultStore = { ...polled(), watch: () => Promise.reject(new Error('no such feature')) };
    expect((await lags(broken, 50, 20_000)).at(-1)).toBeLessThanOrEqual(1_100);
  });

  it('survives a store that fails three times in ten', async () => {
    let seed = 3;
    const store = polled();
    const { list, exists } = store;
    const flaky = (): void => {
      seed = (seed * 48_271) % 2_147_483_647;
      if (seed % 10 < 3) throw new Error('SlowDown');
    };
    store.list = async (range) => (flaky(), list!(range));
    store.exists = async (at) => (flaky(), exists(at));
    const measured = await lags(store, 500, 60_000);
    expect(measured).toHaveLength(500);
    expect(measured[250]).toBeLessThan(700);
    expect(measured.at(-1)).toBeLessThanOrEqual(5_000);
  });

  it('a store that stalls for 20 s is asked again soon after', async () => {
    const store = polled();
    const { list } = store;
    const stallFromMs = performance.now() + 10_000;
    store.list = (range) => {
      const now = performance.now();
      // Requests of the stall are never answered.
      return now > stallFromMs && now < stallFromMs + 20_000 ? new Promise(() => undefined) : list!(range);
    };
    const troubles: WatcherTrouble[] = [];
    const measured = await lags(store, 200, 60_000, { onTrouble: (trouble) => troubles.push(trouble) });
    expect(measured).toHaveLength(200);
    expect(measured.at(-1)).toBeLessThanOrEqual(20_000 + 1_500);
    expect(troubles.at(-1)).toMatchObject({ kind: 'recovered' });
  });

  it('asks for each key where it may not list', async () => {
    const store = polled();
    store.list = () => {
      requests.list += 1;
      return Promise.reject(
        new StoreError({
          code: 'ART_STORE_DENIED',
          operation: 'list',
          bucket,
          key: 'run/',
          message: 'Allow s3:ListBucket.',
        }),
      );
    };
    const troubles: WatcherTrouble[] = [];
    const measured = await lags(store, 100, 30_000, { onTrouble: (trouble) => troubles.push(trouble) });
    expect(measured.at(-1)).toBeLessThanOrEqual(2_500);
    expect(requests.list).toBe(1);
    expect(troubles.map((trouble) => trouble.kind)).toEqual(['failed', 'recovered']);
  });

  it('stops asking a store that stalls when nobody waits any more', async () => {
    const noticing = watch({ ...polled(), exists: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const wait = Promise.allSettled([noticing.noticed({ bucket, key: key(1) }, abort.signal)]);
    await vi.advanceTimersByTimeAsync(15_000);
    abort.abort(new Error('enough'));
    expect(await wait).toMatchObject([{ status: 'rejected', reason: { message: 'enough' } }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('covers 50,000 keys with 50 pages a sweep', async () => {
    const store = polled();
    const noticing = watch(store);
    // One signal each, as rollouts have them: adding many listeners to one signal takes quadratic time.
    const aborts = Array.from({ length: 50_000 }, () => new AbortController());
    const waits = aborts.map((abort, index) => noticing.noticed({ bucket, key: key(index) }, abort.signal));
    const settled = Promise.allSettled(waits);
    await vi.advanceTimersByTimeAsync(520);
    await vi.advanceTimersByTimeAsync(500);
    expect(requests.list).toBe(50);
    // What it takes to learn early whether anything is there.
    expect(requests.head).toBeLessThan(50);
    expect(noticing.outstanding).toBe(50_000);
    for (const abort of aborts) abort.abort(new Error('enough'));
    expect((await settled).every((result) => result.status === 'rejected')).toBe(true);
    expect(noticing.outstanding).toBe(0);
    // The store's own answer to a question that was under way.
    await vi.advanceTimersByTimeAsync(40);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('watches several buckets', async () => {
    const noticing = watch(polled());
    const first = noticing.noticed({ bucket: 'x', key: key(1) }, forever);
    const second = noticing.noticed({ bucket: 'y', key: key(1) }, forever);
    await memory.put({ bucket: 'y', key: key(1) }, '{}');
    await vi.advanceTimersByTimeAsync(700);
    await second;
    await memory.put({ bucket: 'x', key: key(1) }, '{}');
    await vi.advanceTimersByTimeAsync(1_100);
    await first;
    expect(noticing.outstanding).toBe(0);
  });

  it('is idle while nothing is outstanding', async () => {
    const noticing = watch(polled());
    await memory.put({ bucket, key: key(1) }, '{}');
    const found = noticing.noticed({ bucket, key: key(1) }, forever);
    await vi.advanceTimersByTimeAsync(700);
    await found;
    const before = { ...requests };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['lagBoundMs', 'pushedSweepIntervalMs', 'listCostInHeads', 'concurrency'])(
    'refuses a wrong %s',
    (name) => {
      watch(memory);
      expect(() => new CompletionWatcher({ store: memory, [name]: 0 })).toThrow(
        expect.objectContaining({
          code: 'ART_INVALID_OPTION',
          message: expect.stringContaining(name) as string,
        }) as Error,
      );
    },
  );
});
