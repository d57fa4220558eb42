/** The smallest value that at least a `fraction` of all do not exceed; undefined without values. */
export function quantile(sorted: Float64Array, fraction: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
}
