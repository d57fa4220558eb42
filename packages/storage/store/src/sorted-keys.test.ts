import { expect, it } from 'vitest';
import { compareKeys } from './sorted-keys.ts';

it('agrees with the bytes of UTF-8 for every pair of telling keys', () => {
  const keys = [
    '',
    'a',
    'A',
    'a/',
    'a-',
    'a0',
    'ab',
    'é',
    'e\u0301',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '😀a',
    '\u{10000}',
    '\u{10ffff}',
    '0',
  ];
  for (const left of keys) {
    for (const right of keys) {
      const expected = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareKeys(left, right)), `${left} and ${right}`).toBe(expected);
    }
  }
});
