import { quantile } from './quantile.ts';
import { randomSource } from './random-source.ts';

/** Enough that two seeds differ little beside the width of the interval. */
const mostResamples = 10_000;
const fewestResamples = 1_000;
/** Draws in all, which bounds the time to a second or so for runs of many thousand tasks. */
const mostDraws = 20_000_000;

/**
 * The 95 % percentile bootstrap of a mean over all observations; whole clusters are drawn.
 * @param clusters at least two
 */
export function bootstrapMean(
  clusters: readonly (readonly number[])[],
  seed: number,
): { low: number; high: number } {
  const random = randomSource(seed);
  const count = clusters.length;
  const sums = Float64Array.from(clusters, (values) => values.reduce((total, value) => total + value, 0));
  const sizes = Float64Array.from(clusters, (values) => values.length);
  const resamples = Math.min(mostResamples, Math.max(fewestResamples, Math.floor(mostDraws / count)));
  const means = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    let sum = 0;
    let size = 0;
    for (let drawn = 0; drawn < count; drawn += 1) {
      const at = Math.floor(random() * count);
      sum += sums[at]!;
      size += sizes[at]!;
    }
    means[round] = sum / size;
  }
  means.sort();
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
