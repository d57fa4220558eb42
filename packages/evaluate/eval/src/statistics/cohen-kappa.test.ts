import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cohenKappa, type KappaWeights } from './cohen-kappa.ts';
import { randomSource } from './random-source.ts';
import { tQuantile } from './student-t.ts';

interface GoldenPairs extends Record<KappaWeights, number | null> {
  pairs: [number, number][];
  standardError?: number | null;
}

const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, 'golden/kappa.json'), 'utf8'),
) as GoldenPairs[];
const alone = (pairs: readonly [number, number][]) => pairs.map((pair) => [pair]);

describe("Cohen's kappa", () => {
  it.each(['none', 'linear', 'quadratic'] as const)(
    'is that of scikit-learn, with the weights %s',
    (weights) => {
      expect(golden).toHaveLength(120);
      for (const run of golden) {
        const { value } = cohenKappa(alone(run.pairs), weights);
        const wanted = run[weights];
        if (wanted === null) expect(value).toBeNull();
        else expect(Math.abs(value! - wanted)).toBeLessThan(1e-12);
      }
    },
  );

  it('has the standard error that statsmodels has, but for the correction for few clusters', () => {
    let checked = 0;
    for (const { pairs, standardError } of golden) {
      const { value, high } = cohenKappa(alone(pairs));
      if (standardError == null || value === null || high === null || value === 1) continue;
      checked += 1;
      const count = pairs.length;
      const error = (Math.log((1 - value) / (1 - high)) * (1 - value)) / tQuantile(0.025, count - 1);
      expect(error).toBeCloseTo(standardError * Math.sqrt(count / (count - 1)), 9);
    }
    expect(checked).toBeGreaterThan(70);
  });

  it('covers the true value, and its lower end is hardly ever above it', () => {
    const random = randomSource(11);
    let [covered, above, runs] = [0, 0, 0];
    for (const [share, error] of [
      [0.5, 0.1],
      [0.8, 0.2],
      [0.9, 0.1],
    ] as const) {
      const judged = share * (1 - error) + (1 - share) * error;
      const truth = 1 - error / (1 - share * judged - (1 - share) * (1 - judged));
      for (let run = 0; run < 400; run += 1) {
        const pairs = Array.from({ length: 60 }, (): [number, number] => {
          const label = Number(random() < share);
          return [label, random() < error ? 1 - label : label];
        });
        const { low, high } = cohenKappa(alone(pairs));
        if (low === null || high === null) continue;
        runs += 1;
        covered += Number(low <= truth && truth <= high);
        above += Number(low > truth);
      }
    }
    expect(covered / runs).toBeGreaterThan(0.9);
    expect(above / runs).toBeLessThan(0.03);
  });

  it('is wider where samples of a task agree with each other', () => {
    const tasks = Array.from({ length: 20 }, (_, task): [number, number] => [
      task % 2,
      task % 10 === 0 ? 1 : task % 2,
    ]);
    const width = ({ low, high }: ReturnType<typeof cohenKappa>): number => high! - low!;
    const clustered = cohenKappa(tasks.map((pair) => [pair, pair, pair, pair]));
    const loose = cohenKappa(tasks.flatMap((pair) => [[pair], [pair], [pair], [pair]]));
    expect(clustered.value).toBeCloseTo(loose.value!, 12);
    expect(width(clustered)).toBeGreaterThan(1.9 * width(loose));
  });

  it('is no point where all agree, has no interval where one rater has one category, and is null where both have', () => {
    const agreed = cohenKappa(
      alone(Array.from({ length: 20 }, (_, at) => [at % 2, at % 2] as [number, number])),
    );
    expect(agreed).toMatchObject({ value: 1, high: 1 });
    expect(agreed.low).toBeCloseTo(1 - (1 - 0.025 ** (1 / 20)) / 0.5, 9);
    expect(cohenKappa([[[0, 0]], [[0, 1]]])).toEqual({ value: 0, low: null, high: null });
    expect(cohenKappa([[[0, 0]], [[0, 0]]])).toEqual({ value: null, low: null, high: null });
    expect(cohenKappa([])).toEqual({ value: null, low: null, high: null });
    expect(
      cohenKappa([
        [
          [0, 0],
          [1, 1],
        ],
      ]),
    ).toEqual({ value: 1, low: null, high: null });
  });
});
