import { quantile } from '../../measure/quantile.ts';

/** The median of the values that are there; undefined without any. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return quantile(Float64Array.from(known).toSorted(), 0.5);
}
