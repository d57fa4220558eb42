import { describe, expect, it } from 'vitest';
import { planRollouts } from './plan-rollouts.ts';

const base = { seed: 3, rollouts: 20_000, durations: { kind: 'fixed', ms: 7 } } as const;
const durationsOf = (options: Parameters<typeof planRollouts>[0]): number[] =>
  planRollouts(options)
    .map(({ durationMs }) => durationMs)
    .toSorted((left, right) => left - right);

describe('planRollouts', () => {
  it('is decided by the seed alone', () => {
    const options = { ...base, durations: { kind: 'lognormal', medianMs: 20_000, sigma: 0.6 } } as const;
    expect(planRollouts(options)).toEqual(planRollouts(options));
    expect(planRollouts({ ...options, seed: 4 })).not.toEqual(planRollouts(options));
  });

  it('keeps the durations whatever the shares are, and whatever the number is', () => {
    const options = { ...base, durations: { kind: 'uniform', fromMs: 1, toMs: 9 } } as const;
    const plain = planRollouts(options).map(({ durationMs }) => durationMs);
    expect(planRollouts({ ...options, failShare: 0.5 }).map(({ durationMs }) => durationMs)).toEqual(plain);
    expect(planRollouts({ ...options, rollouts: 5 }).map(({ durationMs }) => durationMs)).toEqual(
      plain.slice(0, 5),
    );
  });

  it('has the fates in their shares', () => {
    const fates = planRollouts({ ...base, failShare: 0.2, neverEndShare: 0.1 }).map(({ fate }) => fate);
    const share = (fate: string): number => fates.filter((other) => other === fate).length / fates.length;
    expect(share('fails')).toBeCloseTo(0.2, 1);
    expect(share('never_ends')).toBeCloseTo(0.1, 1);
    expect(planRollouts(base).every(({ fate }) => fate === 'succeeds')).toBe(true);
  });

  it('draws lognormal durations around the median', () => {
    const sorted = durationsOf({ ...base, durations: { kind: 'lognormal', medianMs: 1_000, sigma: 0.6 } });
    expect(sorted[10_000]! / 1_000).toBeCloseTo(1, 1);
    expect(Math.log(sorted[16_827]! / sorted[10_000]!)).toBeCloseTo(0.6, 1);
  });

  it('draws durations with a heavy tail, cut off', () => {
    const sorted = durationsOf({
      ...base,
      durations: { kind: 'pareto', minMs: 100, alpha: 1.5, maxMs: 5_000 },
    });
    expect(sorted[0]).toBeGreaterThanOrEqual(100);
    expect(sorted[10_000]! / 100).toBeCloseTo(2 ** (1 / 1.5), 1);
    expect(sorted.at(-1)).toBe(5_000);
  });
});
