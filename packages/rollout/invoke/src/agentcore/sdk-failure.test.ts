import { expect, it } from 'vitest';
import { parseRetryAfter } from './sdk-failure.ts';

it.each([
  [undefined, undefined],
  ['3', 3_000],
  [' 0 ', 0],
  ['1.5', 1_500],
  ['Thu, 01 Jan 1970 00:01:30 GMT', 30_000],
  ['Thu, 01 Jan 1970 00:00:30 GMT', 0],
  ['-1', undefined],
  ['soon', undefined],
  ['', undefined],
])('%j is %s ms', (header, expected) => {
  expect(parseRetryAfter(header, 60_000)).toBe(expected);
});
