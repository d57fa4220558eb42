import { describe, expect, it } from 'vitest';
import { learnGaps } from './sweep-store.ts';
import { OutstandingKeys } from './outstanding-keys.ts';

const filled = (...keys: string[]): OutstandingKeys => {
  const outstanding = new OutstandingKeys();
  for (const key of keys) outstanding.add(key, 0, () => undefined);
  return outstanding;
};
const shape = (outstanding: OutstandingKeys): [string, number][] =>
  outstanding.sorted().map((entry) => [entry.key, entry.gap]);

describe('OutstandingKeys', () => {
  it('is in the order of the store, however keys come', () => {
    const outstanding = filled('d', 'b', '\u{1f600}', '\uffff');
    expect(shape(outstanding).map(([key]) => key)).toEqual(['b', 'd', '\uffff', '\u{1f600}']);
    outstanding.add('c', 0, () => undefined);
    outstanding.add('a', 0, () => undefined);
    outstanding.add('z', 0, () => undefined);
    expect(shape(outstanding).map(([key]) => key)).toEqual(['a', 'b', 'c', 'd', 'z', '\uffff', '\u{1f600}']);
  });

  it('a finished key widens the gap before the next one', () => {
    const outstanding = filled('a', 'b', 'c', 'd');
    outstanding.sorted()[1]!.gap = 5;
    outstanding.take('b');
    outstanding.take('c');
    outstanding.take('d');
    outstanding.add('e', 0, () => undefined);
    expect(shape(outstanding)).toEqual([
      ['a', 0],
      ['e', 0],
    ]);
    const again = filled('a', 'b', 'c');
    again.sorted()[1]!.gap = 5;
    again.take('a');
    again.take('b');
    expect(shape(again)).toEqual([['c', 7]]);
  });

  it('tells each waiter once, and forgets one that is gone before it was sorted in', () => {
    let told = 0;
    const outstanding = new OutstandingKeys();
    outstanding.add('a', 0, () => (told += 1));
    outstanding.take('a')?.found?.();
    expect(outstanding.take('a')).toBeUndefined();
    expect(told).toBe(1);
    expect(outstanding.sorted()).toEqual([]);
    expect(outstanding.size).toBe(0);
  });
});

describe('learnGaps', () => {
  it('finds what is there and counts what lies between', () => {
    const outstanding = filled('b', 'd', 'f', 'h');
    const keys = outstanding.sorted();
    expect(learnGaps(keys, { keys: ['a', 'b', 'c', 'c1', 'd', 'g'], truncated: false })).toEqual({
      found: ['b', 'd'],
      covered: 4,
    });
    expect(keys.map((entry) => entry.gap)).toEqual([0, 2, 0, 1]);
  });

  it('says how far a truncated page reaches', () => {
    const keys = filled('b', 'd', 'f').sorted();
    expect(learnGaps(keys, { keys: ['b', 'c', 'c1'], truncated: true })).toEqual({
      found: ['b'],
      covered: 1,
    });
    expect(keys[1]!.gap).toBe(2);
    expect(learnGaps(keys, { keys: ['a', 'a1'], truncated: true })).toEqual({ found: [], covered: 0 });
  });

  it('covers a key that is the last of a truncated page', () => {
    const keys = filled('b', 'd').sorted();
    expect(learnGaps(keys, { keys: ['b', 'd'], truncated: true })).toEqual({ found: ['b', 'd'], covered: 2 });
  });
});
