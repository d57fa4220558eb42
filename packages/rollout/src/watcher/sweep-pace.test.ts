import { describe, expect, it } from 'vitest';
import { SweepPace } from './sweep-pace.ts';

const make = (): SweepPace => new SweepPace({ lagBoundMs: 1_000, pushedSweepIntervalMs: 5_000 });
const report = (found: number, costInHeads = 12.5): Parameters<SweepPace['succeeded']>[0] => ({
  tookMs: 50,
  sinceLastMs: 1_000,
  found,
  costInHeads,
});
const afterMany = (found: number, costInHeads?: number): number => {
  const pace = make();
  for (let count = 0; count < 30; count += 1) pace.succeeded(report(found, costInHeads));
  return pace.intervalMs(false);
};

describe('SweepPace', () => {
  it('keeps to the lag bound where results are rare', () => {
    expect(make().intervalMs(false)).toBe(1_000);
    expect(afterMany(1)).toBe(1_000);
    expect(afterMany(12)).toBe(1_000);
  });

  it('looks sooner where results pay for it, within reason', () => {
    expect(afterMany(25)).toBeCloseTo(500, -1);
    expect(afterMany(250)).toBeCloseTo(50, 0);
    expect(afterMany(5_000)).toBe(25);
    // Fifty pages cost more than forty results a second are worth.
    expect(afterMany(40, 625)).toBe(1_000);
  });

  it('goes slowly while the store pushes', () => {
    expect(make().intervalMs(true)).toBe(5_000);
  });

  it('backs off while the store fails, and recovers at once', () => {
    const pace = make();
    const intervals = Array.from({ length: 6 }, () => {
      pace.failed();
      return pace.intervalMs(true);
    });
    expect(intervals).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(pace.failures).toBe(6);
    pace.succeeded(report(0));
    expect(pace.failures).toBe(0);
    expect(pace.intervalMs(false)).toBe(1_000);
  });

  it('takes a store that answers a small question at its word', () => {
    const pace = make();
    for (let count = 0; count < 5; count += 1) pace.failed();
    pace.probeFailed();
    pace.answered();
    expect(pace.intervalMs(false)).toBe(1_000);
    // It is still the same trouble.
    expect(pace.failures).toBe(6);
    pace.failed();
    expect(pace.intervalMs(false)).toBe(2_000);
  });

  it('gives a slow store more time, and takes it back', () => {
    const pace = make();
    expect(pace.requestTimeoutMs).toBe(2_000);
    for (let count = 0; count < 10; count += 1) pace.failed();
    expect(pace.requestTimeoutMs).toBe(10_000);
    pace.succeeded(report(0));
    expect(pace.requestTimeoutMs).toBe(2_000);
    pace.succeeded({ ...report(0), tookMs: 1_500 });
    expect(pace.requestTimeoutMs).toBe(6_000);
  });
});
