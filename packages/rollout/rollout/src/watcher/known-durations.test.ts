import { describe, expect, it } from 'vitest';
import { KnownDurations } from './known-durations.ts';

const after = (durations: KnownDurations, atMs: number, absentAtMs = 0): number =>
  durations.expectedAt(atMs, [{ sinceMs: 0, absentAtMs }]);

describe('KnownDurations', () => {
  it('foresees nothing from a handful', () => {
    const durations = new KnownDurations();
    for (let count = 0; count < 7; count += 1) durations.add(1_000, 1_000);
    expect(durations.canForecast).toBe(false);
    durations.add(1_000, 1_000);
    expect(durations.canForecast).toBe(true);
  });

  it('spreads what is known only roughly over all that may be true', () => {
    const durations = new KnownDurations();
    for (let count = 0; count < 64; count += 1) durations.add(1_000, 2_000);
    expect(after(durations, 999)).toBe(0);
    expect(after(durations, 1_250)).toBeCloseTo(0.25, 1);
    expect(after(durations, 1_750)).toBeCloseTo(0.75, 1);
    // It was not there at 1.5 s: of the rest half are expected within the next quarter of a second.
    expect(after(durations, 1_750, 1_500)).toBeCloseTo(0.5, 1);
    expect(after(durations, 9_000, 2_001)).toBe(0);
  });

  it('follows rollouts that grow longer', () => {
    const durations = new KnownDurations();
    for (let count = 0; count < 64; count += 1) durations.add(1_000, 1_000);
    for (let count = 0; count < 64; count += 1) durations.add(5_000, 5_000);
    expect(after(durations, 4_999)).toBe(0);
    expect(after(durations, 5_000)).toBeCloseTo(1, 1);
  });

  it('knows what half of the newest 64 do not exceed', () => {
    const durations = new KnownDurations();
    for (let count = 0; count < 7; count += 1) durations.add(10, 10);
    expect(durations.medianMs).toBeUndefined();
    for (let ms = 64; ms >= 1; ms -= 1) durations.add(ms, ms);
    expect(durations.medianMs).toBe(32);
    for (let count = 0; count < 64; count += 1) durations.add(500, 500);
    expect(durations.medianMs).toBe(500);
  });
});
