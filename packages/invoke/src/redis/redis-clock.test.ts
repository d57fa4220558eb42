import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RedisClock } from './redis-clock.ts';

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

it('runs with the local clock until Redis has been heard', () => {
  expect(new RedisClock().now()).toBe(1_000_000);
});

it('follows the clock of Redis, half a round trip ago', () => {
  const clock = new RedisClock();
  clock.observe(1_007_000, 10);
  expect(clock.now()).toBe(1_007_005);
  vi.advanceTimersByTime(500);
  expect(clock.now()).toBe(1_007_505);
});

it('is not misled by an answer that was held up, and follows a step within some answers', () => {
  const clock = new RedisClock();
  clock.observe(1_000_000, 2);
  clock.observe(1_000_000, 900);
  expect(clock.now()).toBe(1_000_001);
  for (let answer = 0; answer < 20; answer += 1) clock.observe(2_000_000, 60);
  expect(clock.now()).toBe(2_000_030);
});
