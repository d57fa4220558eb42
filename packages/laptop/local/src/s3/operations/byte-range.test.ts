import { expect, it } from 'vitest';

import { readByteRange } from './byte-range.ts';

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  [undefined, undefined],
  ['bytes=-', undefined],
  ['bytes=5-2', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=0-1', undefined],
])('reads %s of 10 bytes', (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range);
});

it.each([
  ['bytes=10-', 10],
  ['bytes=-0', 10],
  ['bytes=0-', 0],
])('cannot satisfy %s of %d bytes', (header, size) => {
  expect(() => readByteRange(header, size)).toThrow(expect.objectContaining({ s3Code: 'InvalidRange' }));
});
