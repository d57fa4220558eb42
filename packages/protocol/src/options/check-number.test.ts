import { describe, expect, it } from 'vitest';
import { checkNumber, type NumberRule } from './check-number.ts';

const accepted: [value: unknown, rule: NumberRule][] = [
  [undefined, { min: 1 }],
  [1, { min: 1, integer: true }],
  [0.5, { above: 0 }],
  [10, { min: 1, max: 10 }],
  [Infinity, { min: 0, max: Infinity }],
  [Infinity, { min: 1, max: Infinity, integer: true }],
];

const refused: [value: unknown, rule: NumberRule, expected: string][] = [
  [0, { above: 0 }, 'a number greater than 0'],
  [-0.5, { min: 0 }, 'a number of at least 0'],
  [1.5, { min: 1, integer: true }, 'an integer of at least 1'],
  [11, { min: 1, max: 10, integer: true }, 'an integer from 1 to 10'],
  [Infinity, { min: 0 }, 'a number of at least 0'],
  [Number.NaN, { min: 0, max: Infinity }, 'a number from 0 to Infinity'],
  ['3', { min: 0 }, 'a number of at least 0'],
  [null, { min: 0 }, 'a number of at least 0'],
];

describe('checkNumber', () => {
  it.each(accepted)('lets %s pass %o', (value, rule) => {
    expect(() => checkNumber('n', value, rule)).not.toThrow();
  });

  it.each(refused)('refuses %s for %o', (value, rule, expected) => {
    expect(() => checkNumber('n', value, rule)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(`Expected \`n\` to be ${expected}, got `),
      }),
    );
  });
});
