import { expect, it } from 'vitest';
import { jsonIn, jsonObjectIn } from './json-in.ts';

it.each([
  ['{"a":[1]}', { a: [1] }, { a: [1] }],
  ['null', null, undefined],
  ['12345678901234567890', 12345678901234567890n, undefined],
  ['[1]', [1], undefined],
  ['{"a":', 'other', undefined],
  ['', 'other', undefined],
])('reads %s', (text, value, object) => {
  expect(jsonIn(text, 'other')).toEqual(value);
  expect(jsonObjectIn(text)).toEqual(object);
});
