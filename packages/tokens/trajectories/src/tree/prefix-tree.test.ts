import { describe, expect, it } from 'vitest';
import { PrefixTree } from './prefix-tree.ts';

/** A tree of texts that counts how many characters were compared. */
class Texts {
  readonly tree = new PrefixTree();
  readonly texts: string[] = [];
  compared = 0;

  add(text: string): { owner: number; kept: number } {
    const place = this.tree.follow(this.tree.start, text.length, (owner, from, to) => {
      let at = from;
      for (; at < to; at += 1) {
        this.compared += 1;
        if (this.texts[owner]![at] !== text[at]) break;
      }
      return at - from;
    });
    this.texts.push(text);
    this.tree.add(place, text.length);
    return { owner: place.node.owner, kept: place.depth };
  }

  /** The texts that are the beginning of the first `depth` characters of this one, the longest first. */
  before(sequence: number, depth: number): string[] {
    const ends = [...this.tree.endsBefore(sequence, depth)];
    return ends.flatMap((end) => this.texts.filter((_, index) => this.tree.endOf(index) === end));
  }
}

describe('PrefixTree', () => {
  it('finds the longest beginning that a text shares with earlier ones', () => {
    const texts = new Texts();
    expect(texts.add('')).toEqual({ owner: -1, kept: 0 });
    expect(texts.add('abcd')).toEqual({ owner: -1, kept: 0 });
    expect(texts.add('abxy')).toEqual({ owner: 1, kept: 2 });
    expect(texts.add('abxz')).toEqual({ owner: 2, kept: 3 });
    expect(texts.add('ab')).toEqual({ owner: 1, kept: 2 });
    expect(texts.add('abxy')).toMatchObject({ kept: 4 });
    expect(texts.add('zzz')).toEqual({ owner: -1, kept: 0 });
    expect(texts.add('abcde')).toEqual({ owner: 1, kept: 4 });
    expect(texts.before(7, 5)).toEqual(['abcde', 'abcd', 'ab', '']);
    expect(texts.before(7, 4)).toEqual(['abcd', 'ab', '']);
    expect(texts.before(3, 3)).toEqual(['ab', '']);
    expect(texts.before(5, 4)).toEqual(['abxy', 'abxy', 'ab', '']);
  });

  it('knows the same place of texts that begin alike, however they came', () => {
    const texts = new Texts();
    for (const text of ['abc', 'abd', 'xbc', 'abcq']) texts.add(text);
    const at = (sequence: number, depth: number) => texts.tree.placeOf(sequence, depth).node;
    expect(at(0, 2)).toBe(at(1, 2));
    expect(at(0, 3)).toBe(at(3, 3));
    expect(at(0, 3)).not.toBe(at(1, 3));
    expect(at(0, 1)).not.toBe(at(2, 1));
  });

  it('continues from a place that is known without comparing what lies before it', () => {
    const texts = new Texts();
    texts.add('abcdef');
    const looked: number[] = [];
    const place = texts.tree.follow(texts.tree.placeOf(0, 4), 7, (_owner, from) => {
      looked.push(from);
      return from === 4 ? 1 : 0;
    });
    expect(looked).toEqual([4, 5]);
    expect(place.depth).toBe(5);
  });

  it('compares of a long conversation each item once', () => {
    const texts = new Texts();
    for (let turn = 0; turn < 500; turn += 1) texts.add('a'.repeat(turn + 1));
    texts.compared = 0;
    expect(texts.add('a'.repeat(501))).toEqual({ owner: 499, kept: 500 });
    expect(texts.compared).toBe(500);
  });
});
