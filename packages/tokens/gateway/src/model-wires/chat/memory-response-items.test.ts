import { expect, it } from 'vitest';
import { MemoryResponseItems } from './memory-response-items.ts';

it('forgets what was used longest ago once it is full', () => {
  const items = new MemoryResponseItems(2 * 3 * 4);
  for (const id of ['a', 'b', 'c']) items.remember(id, 'xyz');
  expect(items.recall('a')).toBe('xyz');
  items.remember('d', 'xyz');
  expect(['a', 'b', 'c', 'd'].map((id) => items.recall(id))).toEqual(['xyz', undefined, 'xyz', 'xyz']);
});

it('counts an item that is remembered twice once', () => {
  const items = new MemoryResponseItems(20);
  for (const text of ['one', 'two', '😀']) items.remember('a', text);
  items.remember('b', 'x');
  expect([items.recall('a'), items.recall('b')]).toEqual(['😀', 'x']);
});
