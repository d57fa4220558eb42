import { expect, it } from 'vitest';
import { growingPauseMs } from './growing-pause.ts';

const failures = [1, 2, 3, 4, 5];

it('doubles with every failure up to a bound', () => {
  const growth = { firstMs: 25, longestMs: 150 };
  expect(failures.map((count) => growingPauseMs(count, growth))).toEqual([25, 50, 100, 150, 150]);
  expect(growingPauseMs(5_000, growth)).toBe(150);
});

it('spreads callers over the share that is random', () => {
  const growth = { firstMs: 100, longestMs: 400, jitter: 0.5 };
  const pauses = (drawn: number): number[] =>
    failures.map((count) => growingPauseMs(count, { ...growth, random: () => drawn }));
  expect(pauses(1)).toEqual([100, 200, 400, 400, 400]);
  expect(pauses(0)).toEqual([50, 100, 200, 200, 200]);
  expect(growingPauseMs(1, { ...growth, jitter: 1, random: () => 0 })).toBe(0);
});
