import { expect, it } from 'vitest';
import { formatDuration } from './format-duration.ts';

it.each([
  [0, '0 ms'],
  [339.6, '340 ms'],
  [999.6, '1.0 s'],
  [4_249, '4.2 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 00 s'],
  [185_000, '3 min 05 s'],
])('%d is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
