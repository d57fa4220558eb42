import { expect, it } from 'vitest';
import { describeValue } from './describe-value.ts';

it.each([
  [null, 'null'],
  [[1, 2], 'an array of 2'],
  ['x', '"x"'],
  [{}, 'an object'],
  [new Map(), 'an instance of Map'],
  [(async function* () {})(), 'an instance of AsyncGenerator'],
  [(function* () {})(), 'an instance of Generator'],
])('names %o', (value, name) => {
  expect(describeValue(value)).toBe(name);
});
