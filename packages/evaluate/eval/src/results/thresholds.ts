import { isAtLeast } from '@art/ground/figures';
import type { Estimate, ResultsRecord } from '../records/results-record.ts';

/** What a run has to reach. */
export interface Thresholds {
  minReward?: number | undefined;
  /** By k. */
  minPassAt?: Readonly<Record<number, number>> | undefined;
  /** Whether the lower end of the interval has to reach it, and not only the value. @default false */
  isConfident?: boolean | undefined;
}

/**
 * - `passed`: every threshold is reached, or there is none.
 * - `below`: one is not.
 * - `not_judged`: too many samples are excluded, or too few were judged, for the figures to be trusted.
 */
export type ThresholdVerdict = 'passed' | 'below' | 'not_judged';

/** One threshold, and whether it was reached. */
export interface ThresholdCheck {
  /** `mean reward`, `pass@1` */
  name: string;
  wanted: number;
  /** Null where there is no such figure. */
  estimate: Estimate | null;
  isReached: boolean;
}

/**
 * Holds results against thresholds.
 * @param passAt of any k; null where there is none
 */
export function checkThresholds(
  results: ResultsRecord,
  passAt: (k: number) => Estimate | null,
  { minReward, minPassAt = {}, isConfident = false }: Thresholds,
): { verdict: ThresholdVerdict; checks: ThresholdCheck[] } {
  const check = (name: string, wanted: number, estimate: Estimate | null): ThresholdCheck => ({
    name,
    wanted,
    estimate,
    isReached: estimate !== null && isAtLeast(isConfident ? estimate.low : estimate.value, wanted),
  });
  const checks = [
    ...(minReward === undefined ? [] : [check('mean reward', minReward, results.mean)]),
    ...Object.entries(minPassAt).map(([k, wanted]) => check(`pass@${k}`, wanted, passAt(Number(k)))),
  ];
  const isJudged =
    results.excluded.isTrusted && results.mean !== null && checks.every(({ estimate }) => estimate !== null);
  if (!isJudged) return { verdict: 'not_judged', checks };
  return { verdict: checks.every(({ isReached }) => isReached) ? 'passed' : 'below', checks };
}
