import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { estimateDifference } from './estimate-difference.ts';
import { estimateMean } from './estimate-mean.ts';
import { mcnemarExact } from './mcnemar.ts';
import { passAtK, passPowerK } from './pass-at-k.ts';
import { spread } from './quantile.ts';

interface GoldenRun {
  clusters: number[][];
  mean: number;
  standardError: number;
  wilson?: [number, number];
  k?: number;
  passAt?: number[];
  passPower?: number[];
  mcnemar?: [number, number, number];
  quantile?: [number, number];
  t?: [number, number];
  tTest?: [number, number, number];
}

const runs = JSON.parse(readFileSync(join(import.meta.dirname, 'golden/golden.json'), 'utf8')) as GoldenRun[];

function areClose(got: readonly number[], wanted: readonly number[]): boolean {
  return got.length === wanted.length && got.every((value, at) => Math.abs(value - wanted[at]!) <= 1e-9);
}

describe('figures are those of numpy, scipy and statsmodels', () => {
  it('covers 200 runs of every kind', () => {
    expect(runs).toHaveLength(200);
    expect(runs.filter((run) => run.wilson !== undefined)).toHaveLength(100);
    expect(runs.filter((run) => run.t !== undefined)).toHaveLength(100);
  });

  it('mean and clustered standard error', () => {
    for (const run of runs) {
      const { mean, standardError } = clusteredMean(run.clusters);
      expect(areClose([mean, standardError], [run.mean, run.standardError])).toBe(true);
    }
  });

  it("Wilson's interval, of single samples and of clusters", () => {
    for (const { clusters, wilson } of runs) {
      if (wilson === undefined) continue;
      const { low, high, method } = estimateMean(clusters)!;
      expect(areClose([low, high], wilson)).toBe(true);
      expect(method).toBe(clusters.every((scores) => scores.length === 1) ? 'wilson' : 'wilson-clustered');
    }
  });

  it('pass@k and pass^k', () => {
    for (const { clusters, k, passAt = [], passPower = [] } of runs) {
      if (k === undefined) continue;
      const able = clusters.filter((scores) => scores.length >= k);
      const passed = (scores: number[]): number => scores.filter((score) => score === 1).length;
      expect(
        areClose(
          able.map((scores) => passAtK(passed(scores), scores.length, k)),
          passAt,
        ),
      ).toBe(true);
      expect(
        areClose(
          able.map((scores) => passPowerK(passed(scores), scores.length, k)),
          passPower,
        ),
      ).toBe(true);
    }
  });

  it('the exact McNemar test', () => {
    for (const { mcnemar } of runs) {
      if (mcnemar === undefined) continue;
      const [first, second, pValue] = mcnemar;
      expect(areClose([mcnemarExact(first, second)], [pValue])).toBe(true);
    }
    // Past the range of 2^-n as a double.
    expect(mcnemarExact(1_500, 1_500)).toBeCloseTo(1, 9);
    expect(areClose([mcnemarExact(900, 1_100)], [8.45708953550381e-6])).toBe(true);
  });

  it('quantiles', () => {
    for (const { clusters, quantile } of runs) {
      if (quantile === undefined) continue;
      const { median, p95 } = spread(clusters.flat())!;
      expect(areClose([median, p95], quantile)).toBe(true);
    }
  });

  it("Student's t over tasks, of a mean and of a difference", () => {
    for (const { clusters, t, tTest } of runs) {
      if (t === undefined || tTest === undefined) continue;
      const got = estimateMean(clusters)!;
      // Ours end where scores do.
      const isUnit = clusters.every((scores) => scores.every((score) => score >= 0 && score <= 1));
      const wanted = isUnit ? [Math.max(0, t[0]), Math.min(1, t[1])] : t;
      expect(areClose([got.low, got.high], wanted)).toBe(true);
      const difference = estimateDifference(clusters.map((scores) => ({ first: [0.4], second: scores })))!;
      expect(areClose([difference.pValue, difference.low, difference.high], tTest)).toBe(true);
    }
  });
});

describe('the interval of a mean', () => {
  it('is not a point where every sample passed', () => {
    const { low, high, method } = estimateMean(Array.from({ length: 20 }, () => [1, 1, 1, 1]))!;
    expect(low).toBeCloseTo(0.8389, 4);
    expect([high, method]).toEqual([1, 'wilson-clustered']);
  });

  it('has no bounds where one task with other scores is all there is, and is not there without scores', () => {
    expect(estimateMean([[0.5, 0.7]])).toMatchObject({ low: -Infinity, high: Infinity, method: 'none' });
    expect(estimateMean([[], []])).toBeUndefined();
  });
});
