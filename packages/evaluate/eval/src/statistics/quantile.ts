import type { Spread } from '../records/results-record.ts';

/** Quantile with linear interpolation, as numpy's default. NaN where there are no values. @param sorted ascending */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Median and tail of durations or costs. */
export function spread(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).toSorted();
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), max: sorted.at(-1)! };
}
