import { expect, it } from 'vitest';
import { quantile } from './quantile.ts';

it.each<[number[], number, number | undefined]>([
  [[], 0.5, undefined],
  [[7], 0.5, 7],
  [[7], 0.99, 7],
  [[10, 9, 1, 2], 0.5, 2],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.99, 99],
  [Array.from({ length: 100 }, (_, index) => index + 1), 1, 100],
])('of %j at %d is %d', (values, fraction, value) => {
  expect(quantile(values, fraction)).toBe(value);
});
