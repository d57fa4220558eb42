import type { RunMetrics } from './run-metrics.ts';

/** The run in the middle, by processor time, of several runs of the same client. */
export function medianRun(runs: readonly RunMetrics[]): RunMetrics {
  const byCpu = runs.toSorted((left, right) => left.cpuMsPerRollout - right.cpuMsPerRollout);
  const middle = byCpu[Math.floor((byCpu.length - 1) / 2)];
  if (middle === undefined) throw new RangeError('Expected at least one run, got none.');
  return middle;
}
