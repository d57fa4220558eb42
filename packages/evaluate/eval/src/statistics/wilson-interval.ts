import type { ClusteredMean } from './clustered-mean.ts';
import { tQuantile } from './student-t.ts';

/** 97.5 % point of the normal distribution. */
const z95 = 1.959963984540054;

/**
 * Wilson's score interval of a share (Wilson 1927), 95 %.
 * @param share between 0 and 1
 * @param count observations; need not be a whole number
 */
export function wilsonInterval(share: number, count: number): { low: number; high: number } {
  const z2 = z95 ** 2 / count;
  const centre = (share + z2 / 2) / (1 + z2);
  const half = (z95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count));
  // At the ends the bound is the share itself, which rounding may miss.
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  };
}

/**
 * How many independent observations a mean of clusters is worth: those that would have its standard error (Kish), fewer where few
 * clusters make the error itself uncertain (Korn and Graubard 1998). At most as many as there are samples. Where all observations agree
 * their spread says nothing, and the fewest are counted.
 * @param fewest that they are worth however much the samples of a cluster agree
 */
export function effectiveCount(
  { mean, standardError, samples, clusters }: ClusteredMean,
  fewest: number,
): number {
  const spread = mean * (1 - mean);
  if (clusters < 2 || spread <= 0) return fewest;
  const count = Math.min(samples, spread / standardError ** 2);
  return Math.max(fewest, count * (z95 / tQuantile(0.025, clusters - 1)) ** 2);
}
