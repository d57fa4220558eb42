import { backgroundClock, Semaphore } from '@art/ground';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { fetchDocument } from './stored-results.ts';

/** A store that takes 10 ms for an answer; what `read` throws is its failure. */
class SlowStore {
  readonly tries: string[] = [];
  readonly #read: (key: string, tries: number) => string | undefined;
  underWay = 0;
  mostUnderWay = 0;

  constructor(read: (key: string, tries: number) => string | undefined) {
    this.#read = read;
  }

  async get({ key }: { key: string }): Promise<string | undefined> {
    this.tries.push(key);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await new Promise((resolve) => setTimeout(resolve, 10));
    this.underWay -= 1;
    return this.#read(key, this.tries.filter((tried) => tried === key).length);
  }

  readonly put = (): never => expect.fail('nothing is stored here');
  readonly exists = this.put;
}

const never = new AbortController().signal;

function fetching(store: SlowStore, limit: Semaphore, giveUpMs = 60_000) {
  return (key: string, signal = never): Promise<string> =>
    fetchDocument(
      { bucket: 'b', key },
      { store, clock: backgroundClock, fetchLimit: limit, fetchGiveUpMs: giveUpMs },
      signal,
    );
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('fetchDocument', () => {
  it('lets other results be read while one pauses between its tries', async () => {
    const store = new SlowStore((key) => (key === 'broken' ? undefined : key));
    const fetch = fetching(store, new Semaphore(1));
    const broken = fetch('broken');
    broken.catch(() => undefined);
    const startedMs = Date.now();
    expect(await inFakeTime(Promise.all(['a', 'b', 'c'].map((key) => fetch(key))))).toEqual(['a', 'b', 'c']);
    expect(Date.now() - startedMs).toBeLessThan(100);
    await expect(inFakeTime(broken)).rejects.toThrow('nothing to read');
    expect(store.mostUnderWay).toBe(1);
  });

  it('reads a result that failed once in its turn, however many others come', async () => {
    const store = new SlowStore((key, tries) => {
      if (key === 'unlucky' && tries === 1) throw new Error('SlowDown');
      return key;
    });
    const fetch = fetching(store, new Semaphore(1));
    const unlucky = fetch('unlucky');
    // A new result every 5 ms: twice as many as can be read, so there always is a line.
    let count = 0;
    const stream = setInterval(() => void fetch(`new-${count++}`), 5);
    expect(await inFakeTime(unlucky)).toBe('unlucky');
    clearInterval(stream);
    const second = store.tries.lastIndexOf('unlucky');
    // Behind those that came before its pause of 100 ms was over, and none of those after.
    expect(second).toBeLessThanOrEqual(24);
    await inFakeTime(fetch('the last one'));
  });

  it('does not count the time in line as time that a result was unreadable', async () => {
    const store = new SlowStore((key, tries) => (key.startsWith('broken') && tries < 3 ? undefined : key));
    const limit = new Semaphore(1);
    const fetch = fetching(store, limit, 400);
    const gate = Promise.withResolvers<void>();
    const holder = limit.run(undefined, () => gate.promise);
    const broken = Promise.all([fetch('broken-1'), fetch('broken-2')]);
    await vi.advanceTimersByTimeAsync(5_000);
    gate.resolve();
    expect(await inFakeTime(broken)).toEqual(['broken-1', 'broken-2']);
    await holder;
  });

  it('leaves the line when it is aborted', async () => {
    const store = new SlowStore((key) => key);
    const limit = new Semaphore(1);
    const gate = Promise.withResolvers<void>();
    const holder = limit.run(undefined, () => gate.promise);
    const abort = new AbortController();
    const left = fetching(store, limit)('a', abort.signal);
    abort.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    gate.resolve();
    await holder;
    expect(store.tries).toEqual([]);
  });
});
