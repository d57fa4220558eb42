import { expect, it } from 'vitest';
import { TokenBucket } from './service-limits.ts';

it('lets one second of burst through and then the rate', () => {
  let nowMs = 0;
  const bucket = new TokenBucket(25, { nowMs: () => nowMs });
  const take = (tries: number): number =>
    Array.from({ length: tries }, () => bucket.tryTake()).filter(Boolean).length;
  expect(take(100)).toBe(25);
  nowMs = 39;
  expect(take(10)).toBe(0);
  nowMs = 40;
  expect(take(10)).toBe(1);
  nowMs = 1_000_000;
  expect(take(100)).toBe(25);
});

it('can be slower than one a second', () => {
  let nowMs = 0;
  const bucket = new TokenBucket(0.5, { nowMs: () => nowMs });
  expect(bucket.tryTake()).toBe(true);
  nowMs = 1_999;
  expect(bucket.tryTake()).toBe(false);
  nowMs = 2_000;
  expect(bucket.tryTake()).toBe(true);
});
