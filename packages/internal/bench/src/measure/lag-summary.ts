import type { RolloutRecord } from '../endpoint/rollout-record.ts';
import { quantile } from './quantile.ts';

/**
 * Detection lag: from the instant at which a result can be read to the arrival of the first read that finds it.
 * Milliseconds.
 */
export interface LagSummary {
  p50: number;
  p90: number;
  p99: number;
  max: number;
  mean: number;
}

/** The lags of all rollouts whose result was read, in ascending order. */
export function detectionLags(rollouts: readonly RolloutRecord[]): Float64Array {
  return Float64Array.from(
    rollouts.flatMap(({ storedMs, noticedMs }) =>
      storedMs === undefined || noticedMs === undefined ? [] : [noticedMs - storedMs],
    ),
  ).toSorted();
}

/** Undefined where no result was read. */
export function summarizeLags(sorted: Float64Array): LagSummary | undefined {
  if (sorted.length === 0) return undefined;
  return {
    p50: quantile(sorted, 0.5)!,
    p90: quantile(sorted, 0.9)!,
    p99: quantile(sorted, 0.99)!,
    max: sorted.at(-1)!,
    mean: sorted.reduce((sum, lag) => sum + lag, 0) / sorted.length,
  };
}
