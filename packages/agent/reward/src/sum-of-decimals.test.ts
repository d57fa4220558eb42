import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOfDecimals } from './sum-of-decimals.ts';

describe('sumOfDecimals', () => {
  it.each([
    [[0.1, 0.2], 0.3],
    [[0.6, 0.3, 0.1], 1],
    [[0.2, 0.4, 0.3, 0.1], 1],
    [[1, -0.9, -0.1], 0],
    [[0.7 * 0.1, 0.2], 0.27],
    [[], 0],
    [[0], 0],
    [[-0], 0],
    [[1e300, 1e299], 1.1e300],
    [[1e-320, 1e-320], 2e-320],
  ])('of %j is %d', (parts, sum) => {
    expect(sumOfDecimals(parts)).toBe(sum);
  });

  it('of thousandths is the one of whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { maxLength: 12 }), (parts) => {
        expect(sumOfDecimals(parts.map((part) => part / 1_000))).toBe(
          parts.reduce((sum, part) => sum + part, 0) / 1_000 + 0,
        );
      }),
      { seed: 7 },
    );
  });
});
