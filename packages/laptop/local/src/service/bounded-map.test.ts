import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

it('forgets the oldest', () => {
  const map = new BoundedMap<string, number | undefined>(2);
  map.set('a', 1);
  map.set('b', undefined);
  expect(map.has('b')).toBe(true);
  map.set('c', 3);
  expect(map.has('a')).toBe(false);
  expect([...map.values()]).toEqual([undefined, 3]);
});
