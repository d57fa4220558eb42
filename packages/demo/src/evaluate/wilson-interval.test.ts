import { expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

it.each([
  [80, 100],
  [1, 2],
  [3, 1000],
  [999, 1000],
])('bounds for %d of %d are where the score test just rejects', (successes, trials) => {
  const { low, high } = wilsonInterval(successes, trials);
  for (const bound of [low, high]) {
    const standardError = Math.sqrt((bound * (1 - bound)) / trials);
    expect(Math.abs(successes / trials - bound) / standardError).toBeCloseTo(1.96, 3);
  }
  expect(low).toBeLessThan(successes / trials);
  expect(high).toBeGreaterThan(successes / trials);
});

it('stays between 0 and 1', () => {
  expect(wilsonInterval(0, 10).low).toBeGreaterThanOrEqual(0);
  expect(wilsonInterval(0, 10).low).toBeCloseTo(0, 12);
  expect(wilsonInterval(10, 10).high).toBeLessThanOrEqual(1);
  expect(wilsonInterval(10, 10).high).toBeCloseTo(1, 12);
  expect(wilsonInterval(0, 10).high).toBeCloseTo(0.2775, 4);
});

it('knows nothing without trials', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
