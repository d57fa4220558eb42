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
 * How many independent observations would have this standard error (Kish's effective sample size): at most as many as there are. Where
 * all observations agree their spread says nothing, and only clusters are counted.
 */
export function effectiveCount({
  mean,
  standardError,
  samples,
  clusters,
}: {
  mean: number;
  standardError: number;
  samples: number;
  clusters: number;
}): number {
  const spread = mean * (1 - mean);
  if (!(standardError > 0) || spread <= 0) return clusters;
  return Math.min(samples, Math.max(1, spread / standardError ** 2));
}
