/** @param values at least one */
export function plainMean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** A mean whose observations come in clusters: samples of one task are not independent of each other. */
export interface ClusteredMean {
  mean: number;
  /** NaN for a single cluster, which says nothing about the spread between clusters. */
  standardError: number;
  samples: number;
  clusters: number;
}

/**
 * Mean over all observations, with the cluster-robust standard error and the usual correction for few clusters, G/(G-1): what
 * statsmodels' OLS on a constant gives with `cov_type='cluster'`. One observation a cluster makes it the classical one.
 * @param clusters at least one observation in each
 */
export function clusteredMean(clusters: readonly (readonly number[])[]): ClusteredMean {
  const count = clusters.length;
  const sums = clusters.map((values) => values.reduce((total, value) => total + value, 0));
  const samples = clusters.reduce((total, values) => total + values.length, 0);
  const mean = sums.reduce((total, sum) => total + sum, 0) / samples;
  // A cluster counts by the sum of its residuals.
  const squares = sums.reduce((total, sum, at) => total + (sum - clusters[at]!.length * mean) ** 2, 0);
  const standardError = count < 2 ? Number.NaN : Math.sqrt((squares * count) / (count - 1)) / samples;
  return { mean, standardError, samples, clusters: count };
}
