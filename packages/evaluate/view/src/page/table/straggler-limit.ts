import { quantile } from '@art/eval/statistics';
import type { SampleRow } from '../../report/sample-row.ts';

const fewest = 8;

/**
 * Latency above which a sample is a straggler: three interquartile ranges above the third quartile (Tukey's outer fence, Exploratory
 * Data Analysis, 1977). Undefined where there are too few to tell.
 */
export function stragglerLimitMs(rows: readonly SampleRow[]): number | undefined {
  const latencies = Float64Array.from(
    rows.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs])),
  ).toSorted();
  if (latencies.length < fewest) return undefined;
  const low = quantile(latencies, 0.25);
  const high = quantile(latencies, 0.75);
  // Sessions of the same length have no range to go by.
  return high + 3 * Math.max(high - low, high / 10);
}
