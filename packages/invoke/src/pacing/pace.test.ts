import { expect, it } from 'vitest';
import { localPace, lonelyIntervalMs, redisPace } from './pace.ts';

it.each([0.5, 1, 25, 99, 150, 500, 1000, 1999, 100_000])(
  '%d a second is not exceeded, and nearly reached',
  (rate) => {
    for (const { intervalMs, callsPerGrant } of [localPace(rate), redisPace(rate)]) {
      const reached = (callsPerGrant * 1000) / intervalMs;
      expect(reached).toBeLessThan(rate);
      expect(reached).toBeGreaterThan(rate * 0.9);
    }
  },
);

it('gives every start of a session a grant of its own, at 24 a second or more', () => {
  expect(localPace(25).callsPerGrant).toBe(1);
  expect(redisPace(25)).toEqual({ callsPerGrant: 1, intervalMs: 41 });
});

it('asks bottleneck for no more jobs than it can start, through Redis in whole milliseconds', () => {
  for (const rate of [200, 999, 5_000, 100_000]) {
    expect(localPace(rate).intervalMs).toBeGreaterThan(5);
    expect(Number.isInteger(redisPace(rate).intervalMs)).toBe(true);
  }
});

it.each([
  [25, 3],
  [25, 10],
  [500, 3],
  [1000, 7],
])('%d a second among %d processes out of step stays within the rate in every second', (rate, processes) => {
  const pace = redisPace(rate);
  const intervalMs = lonelyIntervalMs(rate, pace, processes);
  const grantsInAnySecond = Math.ceil(1000 / intervalMs);
  expect(grantsInAnySecond * pace.callsPerGrant * processes).toBeLessThanOrEqual(rate);
});

it('keeps the mean where a process has less than one grant a second', () => {
  const pace = redisPace(25);
  expect(lonelyIntervalMs(25, pace, 100)).toBeCloseTo(4_400);
});
