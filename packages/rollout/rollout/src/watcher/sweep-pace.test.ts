import { describe, expect, it } from 'vitest';
import { SweepPace } from './sweep-pace.ts';

const make = (): SweepPace => new SweepPace({ lagBoundMs: 1_000, pushedSweepIntervalMs: 5_000 });
describe('SweepPace', () => {
  it('keeps to the lag bound', () => {
    expect(make().intervalMs(false)).toBe(1_000);
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
    pace.succeeded(50);
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
    pace.succeeded(50);
    expect(pace.requestTimeoutMs).toBe(2_000);
    pace.succeeded(1_500);
    expect(pace.requestTimeoutMs).toBe(6_000);
  });
});
