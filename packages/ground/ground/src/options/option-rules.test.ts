import { describe, expect, it } from 'vitest';
import { aNumber, type NumberRange, oneOf, optional, withMethod } from './option-rules.ts';

const accepted: [value: unknown, range: NumberRange][] = [
  [1, { min: 1, integer: true }],
  [0.5, { above: 0 }],
  [10, { min: 1, max: 10 }],
  [-3, {}],
  [Infinity, { min: 0, max: Infinity }],
  [Infinity, { min: 1, max: Infinity, integer: true }],
];

const refused: [value: unknown, range: NumberRange, expected: string][] = [
  [0, { above: 0 }, 'a number greater than 0'],
  [-0.5, { min: 0 }, 'a number of at least 0'],
  [1.5, { min: 1, integer: true }, 'an integer of at least 1'],
  [11, { min: 1, max: 10, integer: true }, 'an integer from 1 to 10'],
  [Infinity, { min: 0 }, 'a number of at least 0'],
  [Infinity, {}, 'a finite number'],
  [Number.NaN, { min: 0, max: Infinity }, 'a number from 0 to Infinity'],
  ['3', { min: 0 }, 'a number of at least 0'],
  [null, { min: 0 }, 'a number of at least 0'],
  [undefined, { min: 0 }, 'a number of at least 0'],
];

describe('aNumber', () => {
  it.each(accepted)('takes %s for %o', (value, range) => {
    expect(aNumber(range)(value, 'n')).toBe(value);
  });

  it.each(refused)('refuses %s for %o', (value, range, expected) => {
    expect(() => aNumber(range)(value, 'n')).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining(`Expected \`n\` to be ${expected}, got `) as string,
      }) as Error,
    );
  });
});

describe('optional', () => {
  it('stands for what was left out, and for nothing else', () => {
    const rule = optional(oneOf('all', 'first', 'none'), 'all');
    expect([rule(undefined, 'n'), rule('none', 'n'), optional(aNumber())(undefined, 'n')]).toEqual([
      'all',
      'none',
      undefined,
    ]);
    expect(() => rule(null, 'n')).toThrow("Expected `n` to be 'all', 'first' or 'none', got null.");
    expect(() => oneOf('first')(null, 'n')).toThrow("Expected `n` to be 'first', got null.");
  });
});

describe('withMethod', () => {
  it('knows an object, or a function, by its method', () => {
    const rule = withMethod('a ResultStore', 'exists');
    const store = { exists: () => true };
    expect([
      rule(store, 'store'),
      rule(
        Object.assign(() => {}, store),
        'store',
      ),
    ]).toHaveLength(2);
    for (const value of [undefined, null, { exists: true }, 'exists'])
      expect(() => rule(value, 'store')).toThrow('Expected `store` to be a ResultStore, got ');
  });
});
