/** The smallest value that at least a `fraction` of all values do not exceed; undefined without values. */
export function quantile(values: readonly number[], fraction: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
}
