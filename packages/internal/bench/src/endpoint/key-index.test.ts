import { compareKeys } from '@art/store';
import { randomLcg } from 'd3-random';
import { describe, expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';

const all = { prefix: '', startAfter: '', limit: 1_000 };

describe('KeyIndex', () => {
  it('lists in the order of UTF-8 bytes, whatever the order of arrival', () => {
    const index = new KeyIndex();
    for (const key of ['b', '\u{1f600}', 'a/2', '￿', 'a/10', 'B']) index.add(key);
    expect(index.page(all)).toEqual({
      keys: ['B', 'a/10', 'a/2', 'b', '￿', '\u{1f600}'],
      isTruncated: false,
    });
  });

  it('holds a key once', () => {
    const index = new KeyIndex(['a']);
    index.add('a');
    expect(index.page(all).keys).toEqual(['a']);
    expect([index.has('a'), index.has('b')]).toEqual([true, false]);
  });

  it('gives the same pages as sorting and filtering everything', () => {
    const random = randomLcg(7);
    const key = (): string => `exp/${Math.floor(random() * 5_000)}/${Math.floor(random() * 9)}`;
    const older = [...new Set(Array.from({ length: 6_000 }, key))].toSorted(compareKeys);
    const index = new KeyIndex(older);
    const everything = new Set(older);
    for (let n = 0; n < 4_000; n += 1) {
      const added = key();
      index.add(added);
      everything.add(added);
    }
    const sorted = [...everything].toSorted(compareKeys);
    for (let n = 0; n < 200; n += 1) {
      const prefix = key().slice(0, 4 + Math.floor(random() * 4));
      const startAfter = random() < 0.5 ? '' : key();
      const limit = 1 + Math.floor(random() * 40);
      const expected = sorted.filter(
        (candidate) => candidate.startsWith(prefix) && compareKeys(candidate, startAfter) > 0,
      );
      expect(index.page({ prefix, startAfter, limit })).toEqual({
        keys: expected.slice(0, limit),
        isTruncated: expected.length > limit,
      });
    }
  });

  it('says whether more follow', () => {
    const index = new KeyIndex(['a', 'b', 'c']);
    expect(index.page({ ...all, limit: 2 })).toEqual({ keys: ['a', 'b'], isTruncated: true });
    expect(index.page({ ...all, limit: 2, startAfter: 'b' })).toEqual({ keys: ['c'], isTruncated: false });
    expect(index.page({ ...all, limit: 3 }).isTruncated).toBe(false);
  });
});
