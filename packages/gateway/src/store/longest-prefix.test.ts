import { describe, expect, it } from 'vitest';
import { longestPrefix, type PrefixChain } from './session-traces.ts';

/** Sequences as `[parent, kept, own items]`, compared with a new one; counts how often each is looked into. */
function chainOf(
  sequences: readonly [parent: number, kept: number, own: string][],
  text: string,
): { chain: PrefixChain; compared: number[] } {
  const compared = sequences.map(() => 0);
  return {
    compared,
    chain: {
      length: sequences.length,
      node: (index) => {
        const [parent, kept, own] = sequences[index]!;
        return { parent, kept, count: kept + own.length };
      },
      commonOwn: (index) => {
        compared[index]! += 1;
        const [, kept, own] = sequences[index]!;
        let shared = 0;
        while (shared < own.length && own[shared] === text[kept + shared]) shared += 1;
        return shared;
      },
    },
  };
}

function match(
  sequences: readonly [number, number, string][],
  text: string,
): { parent: number; kept: number } {
  return longestPrefix(chainOf(sequences, text).chain, text.length);
}

describe('longestPrefix', () => {
  it('finds nothing in nothing', () => {
    expect(match([], 'abc')).toEqual({ parent: -1, kept: 0 });
    expect(match([[-1, 0, 'xyz']], 'abc')).toEqual({ parent: -1, kept: 0 });
    expect(match([[-1, 0, 'xyz']], '')).toEqual({ parent: -1, kept: 0 });
  });

  it('keeps of a sequence what is the same, also past the items of its own', () => {
    expect(match([[-1, 0, 'abc']], 'abcd')).toEqual({ parent: 0, kept: 3 });
    expect(match([[-1, 0, 'abc']], 'abx')).toEqual({ parent: 0, kept: 2 });
    expect(
      match(
        [
          [-1, 0, 'abc'],
          [0, 3, 'de'],
        ],
        'abcdef',
      ),
    ).toEqual({ parent: 1, kept: 5 });
    expect(
      match(
        [
          [-1, 0, 'abc'],
          [0, 2, 'xy'],
        ],
        'abxz',
      ),
    ).toEqual({ parent: 1, kept: 3 });
    expect(
      match(
        [
          [-1, 0, 'abc'],
          [0, 2, 'xy'],
        ],
        'axyz',
      ),
    ).toEqual({ parent: 1, kept: 1 });
  });

  it('prefers the longest of several, and the newest of equal ones', () => {
    expect(
      match(
        [
          [-1, 0, 'abcd'],
          [-1, 0, 'abx'],
          [-1, 0, 'zzz'],
        ],
        'abcq',
      ),
    ).toEqual({ parent: 0, kept: 3 });
    expect(
      match(
        [
          [-1, 0, 'ab1'],
          [-1, 0, 'ab2'],
        ],
        'abc',
      ),
    ).toEqual({ parent: 1, kept: 2 });
  });

  it('looks into each turn of a chain once, and at no older candidate than it must', () => {
    const turns = 500;
    const sequences = Array.from({ length: turns }, (_, index): [number, number, string] => [
      index - 1,
      index,
      'a',
    ]);
    const { chain, compared } = chainOf(sequences, 'a'.repeat(turns + 1));
    expect(longestPrefix(chain, turns + 1)).toEqual({ parent: turns - 1, kept: turns });
    expect(compared.every((times) => times === 1)).toBe(true);

    const unrelated = chainOf(
      Array.from({ length: 3_000 }, (): [number, number, string] => [-1, 0, 'x']),
      'abc',
    );
    expect(longestPrefix(unrelated.chain, 3)).toEqual({ parent: -1, kept: 0 });
    expect(unrelated.compared.filter((times) => times > 0).length).toBeLessThanOrEqual(64);
  });
});
