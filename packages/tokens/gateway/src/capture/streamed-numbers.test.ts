import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamedNumbers } from './streamed-numbers.ts';

function sequence(arrays: readonly number[][]): StreamedNumbers {
  const result = new StreamedNumbers();
  for (const array of arrays) result.add(Int32Array.from(array));
  return result;
}

const token = fc.integer({ min: 0, max: 2 });

describe('StreamedNumbers', () => {
  it('reads any arrays as new ones', () => {
    fc.assert(
      fc.property(fc.array(fc.array(token, { maxLength: 4 }), { maxLength: 12 }), (arrays) => {
        const result = sequence(arrays);
        expect(result.deltaLength).toBe(arrays.flat().length);
        expect([...result.toArray(false)]).toEqual(arrays.flat());
      }),
    );
  });

  it('reads arrays that grow as the last one, or as new ones', () => {
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 1, maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 }),
        (all, ends) => {
          const lengths = ends.map((end) => Math.min(end, all.length)).toSorted((a, b) => a - b);
          const arrays = lengths.map((length) => all.slice(0, length));
          expect(sequence(arrays).cumulativeLength).toBe(lengths.at(-1));
          expect([...sequence(arrays).toArray(true)]).toEqual(arrays.at(-1));
          expect([...sequence(arrays).toArray(false)]).toEqual(arrays.flat());
        },
      ),
    );
  });

  it('looks cumulative only where each array is longer', () => {
    expect(sequence([[1], [1, 2], [1, 2, 3]]).looksCumulative).toBe(true);
    expect(sequence([[1], [1], [1, 2]]).looksCumulative).toBe(false);
    expect(sequence([[1], [2]]).looksCumulative).toBe(false);
    expect(sequence([[1, 2]]).looksCumulative).toBe(false);
    expect(sequence([[1], [2]]).cumulativeLength).toBeUndefined();
  });
});
