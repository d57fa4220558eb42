import { MemoryResultStore, type ListRange, type ResultStore } from '@art/store';
import { describe, expect, it } from 'vitest';
import { sweepStore } from './sweep-store.ts';

const bucket = 'b';

async function sweep(
  stored: string[],
  keys: string[],
  limit?: number,
): Promise<{ found: string[]; lists: number; heads: number }> {
  const memory = new MemoryResultStore();
  for (const key of stored) await memory.put({ bucket, key }, '{}');
  const cost = { lists: 0, heads: 0 };
  const store: ResultStore = {
    put: (at, body) => memory.put(at, body),
    get: (at) => memory.get(at),
    exists: (at) => {
      cost.heads += 1;
      return memory.exists(at);
    },
    list: (range: ListRange) => {
      cost.lists += 1;
      return memory.list({ ...range, limit: limit ?? range.limit });
    },
  };
  const found: string[] = [];
  await sweepStore({
    store,
    bucket,
    keys,
    concurrency: 4,
    signal: new AbortController().signal,
    onFound: (key) => found.push(key),
  });
  return { found: found.toSorted(), ...cost };
}

const key = (index: number): string => `run/b1-${String(index).padStart(8, '0')}/s.json`;
const keys = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, offset) => key(from + offset));

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
    const result = await sweep(keys(0, 4_010), open, 1_000);
    expect(result.found).toEqual([...keys(0, 20), ...keys(4_000, 4_010)].toSorted());
    expect(result.lists + result.heads / 12.5).toBeLessThanOrEqual(4);
  });

  it('gives up listing where results of others make pages useless', async () => {
    const stored = keys(0, 4_000);
    const open = Array.from({ length: 40 }, (_, index) => key(index * 100));
    const result = await sweep(stored, open, 200);
    expect(result.found).toEqual(open.toSorted());
    expect(result.lists).toBeLessThanOrEqual(2);
  });

  it('finds keys whatever their alphabet', async () => {
    const odd = ['\uffff', '\u{1f600}', '\ue000', 'é', 'a b', '%41', 'Z'].flatMap((part) => [
      `r/${part}/1.json`,
      `r/${part}/2.json`,
    ]);
    const result = await sweep(odd, odd);
    expect(result).toEqual({ found: odd.toSorted(), lists: 1, heads: 0 });
  });

  it('asks for every key although some answers fail, then reports the failure', async () => {
    const memory = new MemoryResultStore();
    await memory.put({ bucket, key: key(3) }, '{}');
    const found: string[] = [];
    const store: ResultStore = {
      put: (at, body) => memory.put(at, body),
      get: (at) => memory.get(at),
      exists: (at) => (at.key === key(1) ? Promise.reject(new Error('SlowDown')) : memory.exists(at)),
    };
    const work = sweepStore({
      store,
      bucket,
      keys: keys(0, 5),
      concurrency: 2,
      signal: new AbortController().signal,
      onFound: (name) => found.push(name),
    });
    await expect(work).rejects.toThrow('SlowDown');
    expect(found).toEqual([key(3)]);
  });
});
