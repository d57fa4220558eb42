import { freshNumber } from '../draws/fresh-number.ts';

/** How pauses grow. */
export interface PauseGrowth {
  /** After the first failure, in milliseconds. */
  firstMs: number;
  longestMs: number;
  /** The share of a pause that is random, 0 to 1: callers that failed together then come back at different times. @default 0 */
  jitter?: number | undefined;
  /** A number from 0 to 1. @default freshNumber */
  random?: (() => number) | undefined;
}

/**
 * How long to wait after the n-th failure in a row: doubled with each, up to a bound.
 * @param failures from 1
 */
export function growingPauseMs(
  failures: number,
  { firstMs, longestMs, jitter = 0, random = freshNumber }: PauseGrowth,
): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (1 - jitter + jitter * random());
}
