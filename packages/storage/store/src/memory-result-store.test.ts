import { expect, it } from 'vitest';
import { MemoryResultStore } from './memory-result-store.ts';

it('keeps buckets apart', async () => {
  const store = new MemoryResultStore();
  await store.put({ bucket: 'one', key: 'k' }, 'in one');
  expect(await store.get({ bucket: 'two', key: 'k' })).toBeUndefined();
  expect(await store.put({ bucket: 'two', key: 'k' }, 'in two', { ifAbsent: true })).toEqual({
    kind: 'stored',
  });
  expect(await store.get({ bucket: 'one', key: 'k' })).toBe('in one');
});

it('reports a key after put has answered, and not at all when closed in between', async () => {
  const store = new MemoryResultStore();
  const keys: string[] = [];
  const watch = await store.watch({ bucket: 'b', prefix: 'exp/' }, (key) => keys.push(key));
  await store.put({ bucket: 'b', key: 'exp/1' }, '');
  await Promise.resolve();
  expect(keys).toEqual(['exp/1']);
  const put = store.put({ bucket: 'b', key: 'exp/2' }, '');
  await watch.close();
  await put;
  await Promise.resolve();
  expect(keys).toEqual(['exp/1']);
});
