import { describe, expect, it } from 'vitest';
import { DurationModel } from './duration-model.ts';

/** As if `count` rollouts had been followed to their ends at these ages. */
function modelOf(endsMs: readonly number[]): DurationModel {
  const model = new DurationModel();
  for (const endMs of endsMs) {
    model.lived(0, endMs);
    model.ended(endMs);
  }
  return model;
}

const spread = (fromMs: number, toMs: number, count = 200): number[] =>
  Array.from({ length: count }, (_, n) => fromMs + ((toMs - fromMs) * (n + 0.5)) / count);

describe('DurationModel', () => {
  it('looks less and less often at what has worked for long, while nothing is known', () => {
    const model = new DurationModel();
    const pauses = [0, 1_000, 10_000, 100_000, 1_000_000].map(
      (ageMs) => model.nextLookMs(ageMs, 200) - ageMs,
    );
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses[2]).toBeGreaterThan(1_000);
    expect(pauses[2]).toBeLessThan(3_000);
  });

  it('does not look before rollouts begin to end', () => {
    const model = modelOf(spread(60_000, 70_000));
    // What is believed without having been seen weighs little by then.
    expect(model.nextLookMs(0, 200)).toBeGreaterThan(8_000);
    expect(model.nextLookMs(40_000, 200)).toBeGreaterThan(50_000);
    expect(model.nextLookMs(58_000, 200)).toBeLessThan(64_000);
  });

  it('looks where they end so that a result lies there for the lag that is wanted', () => {
    // A constant rate of one end in 20 s: the expected lag over a pause d is d² / 40 s.
    const model = new DurationModel();
    for (let ageMs = 0; ageMs < 100_000; ageMs += 100) {
      model.lived(ageMs, ageMs + 100);
      for (let n = 0; n < 199; n += 1) model.lived(ageMs, ageMs + 100);
      model.ended(ageMs + 50);
    }
    for (const ageMs of [5_000, 20_000, 60_000]) {
      const pauseMs = model.nextLookMs(ageMs, 200) - ageMs;
      expect(pauseMs).toBeGreaterThan(0.85 * Math.sqrt(2 * 20_000 * 200));
      expect(pauseMs).toBeLessThan(1.15 * Math.sqrt(2 * 20_000 * 200));
    }
  });

  it('follows a run whose rollouts grow longer', () => {
    const model = modelOf(spread(1_000, 2_000, 3_000));
    const early = model.nextLookMs(0, 200);
    for (const endMs of spread(30_000, 40_000, 10_000)) {
      model.lived(0, endMs);
      model.ended(endMs);
    }
    expect(model.nextLookMs(0, 200)).toBeGreaterThan(5 * early);
  });

  it('covers every age that a session can reach, and more', () => {
    const model = modelOf([100, 8 * 3_600_000, 30 * 3_600_000]);
    for (const ageMs of [0, 249, 250, 251, 8 * 3_600_000, 100 * 3_600_000]) {
      const nextMs = model.nextLookMs(ageMs, 200);
      expect(nextMs).toBeGreaterThan(ageMs);
      expect(nextMs).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });

  it('knows about what half of them do not exceed', () => {
    expect(modelOf(spread(1_000, 2_000, 7)).medianMs).toBeUndefined();
    expect(modelOf(spread(1_000, 2_000)).medianMs).toBeGreaterThan(1_350);
    expect(modelOf(spread(1_000, 2_000)).medianMs).toBeLessThan(1_650);
    expect(modelOf([...spread(20_000, 20_001, 51), ...spread(300_000, 400_000, 49)]).medianMs).toBeLessThan(
      25_000,
    );
  });
});
