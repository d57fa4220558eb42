import { isAtLeast, isInRange } from '@art/ground/figures';
import type { Estimate, PassEstimate, ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { binaryLow, boundedLow, type ConfidentLow, fewestTasks } from '../statistics/confident-low.ts';
import { passAtK } from '../statistics/pass-at-k.ts';
import { leastPasses, reduceScores } from '../statistics/reduce-scores.ts';
import {
  passEstimate,
  passShares,
  repeatedPasses,
  repeatedShare,
  type TaskCluster,
} from './pass-estimate.ts';

/** The figures that a run has to reach. */
export interface Thresholds {
  minReward?: number | undefined;
  /** By k. */
  minPassAt?: Readonly<Record<number, number>> | undefined;
  /** Share of the tasks of which at least k of their samples have to pass, by k: `{ 2: 0.9 }` for "2 of 3" in nine of ten tasks. */
  minTasks?: Readonly<Record<number, number>> | undefined;
  /**
   * True if a lower end that holds with 97.5 % has to reach it, whatever the rewards are like, and not only the value. Where so few tasks can
   * show it for no rewards at all, the run is not judged. @default false
   */
  isConfident?: boolean | undefined;
  /** Least and greatest reward that a task can give, for `isConfident`. @default [0, 1] */
  rewardRange?: readonly [number, number] | undefined;
}

/**
 * - `passed`: every threshold is reached, or there is none.
 * - `below`: one is not.
 * - `not_judged`: too many samples are excluded, too few were judged, or tasks are too few, for the figures to be trusted.
 */
export type ThresholdVerdict = 'passed' | 'below' | 'not_judged';

/** One threshold, and whether it was reached. */
export interface ThresholdCheck {
  /** `mean reward`, `pass@1`, `tasks that pass 2 of 3` */
  name: string;
  wanted: number;
  /** Null where there is no such figure. */
  estimate: Estimate | null;
  /** Samples of a task that have to pass, for `minTasks`; null for others. */
  passes: number | null;
  /** The lower end that was compared, with `isConfident`; null without. */
  low: number | null;
  isReached: boolean;
  /** Why it cannot be said whether it is reached; null where it can. */
  problem: string | null;
}

type Judgement = Pick<ThresholdCheck, 'low' | 'isReached' | 'problem'>;

/** Holds results against thresholds. @param clusters the scores of each task */
export function checkThresholds(
  results: ResultsRecord,
  clusters: readonly TaskCluster[],
  run: Pick<RunRecord, 'passReward' | 'samples' | 'reduce'>,
  { minReward, minPassAt = {}, minTasks = {}, isConfident = false, rewardRange = [0, 1] }: Thresholds,
): { verdict: ThresholdVerdict; checks: ThresholdCheck[] } {
  const checks: ThresholdCheck[] = [];
  const { passReward, samples } = run;
  if (minReward !== undefined) {
    const { mean } = results;
    const judgement = isConfident
      ? confidentMean(clusters, run, minReward, rewardRange)
      : boundedPass('mean reward', mean ?? { value: NaN }, minReward);
    checks.push({ name: 'mean reward', wanted: minReward, estimate: mean, passes: null, ...judgement });
  }
  for (const [k, wanted] of Object.entries(minPassAt)) {
    const estimate = passEstimate(clusters, passReward, Number(k), passAtK) ?? null;
    const judgement =
      estimate === null
        ? plainly(false)
        : isConfident
          ? confidentPass(clusters, passReward, Number(k), wanted)
          : boundedPass(`pass@${k}`, estimate, wanted);
    checks.push({ name: `pass@${k}`, wanted, estimate, passes: null, ...judgement });
  }
  for (const [k, wanted] of Object.entries(minTasks)) {
    const name = `tasks that pass ${k} of ${samples}`;
    const estimate = repeatedShare(clusters, passReward, Number(k)) ?? null;
    const judgement =
      estimate === null
        ? plainly(false)
        : isConfident
          ? confidently(repeatedPasses(clusters, passReward, Number(k)).lowest, wanted, binaryLow)
          : boundedPass(name, estimate, wanted);
    checks.push({ name, wanted, estimate, passes: Number(k), ...judgement });
  }
  const isJudged =
    results.excluded.isTrusted &&
    results.mean !== null &&
    checks.every(({ estimate, problem }) => estimate !== null && problem === null);
  if (!isJudged) return { verdict: 'not_judged', checks };
  return { verdict: checks.every(({ isReached }) => isReached) ? 'passed' : 'below', checks };
}

function plainly(isReached: boolean): Judgement {
  return { low: null, isReached, problem: null };
}

/** Between both extremes of lost samples nothing is said. */
function boundedPass(
  name: string,
  { value, bounds }: Pick<PassEstimate, 'value' | 'bounds'>,
  wanted: number,
): Judgement {
  if (bounds == null) return plainly(isAtLeast(value, wanted));
  if (isAtLeast(bounds.low, wanted)) return plainly(true);
  if (!isAtLeast(bounds.high, wanted)) return plainly(false);
  return {
    low: null,
    isReached: false,
    problem: `${bounds.tasks} tasks have lost samples: ${name} lies between ${bounds.low.toFixed(3)} and ${bounds.high.toFixed(3)}. "art eval --resume" runs them again.`,
  };
}

function confidentMean(
  clusters: readonly TaskCluster[],
  run: Pick<RunRecord, 'passReward' | 'samples' | 'reduce'>,
  wanted: number,
  range: readonly [number, number],
): Judgement {
  const k = leastPasses(run.reduce);
  if (k !== undefined)
    return confidently(repeatedPasses(clusters, run.passReward, k).lowest, wanted, binaryLow);
  const [least, greatest] = range;
  const filled = clusters.map(({ scores }) => reduceScores(scores, run)).filter(({ length }) => length > 0);
  const outside = filled.flat().find((score) => !isInRange(score, range));
  if (outside !== undefined)
    return {
      low: null,
      isReached: false,
      problem: `A score of ${outside} lies outside of ${least} to ${greatest}, and nothing holds for rewards without bounds. Say which rewards the task can give (--reward-range).`,
    };
  const shareOf = (reward: number): number => (reward - least) / (greatest - least);
  const judgement = confidently(
    filled.map((scores) => shareOf(plainMean(scores))),
    shareOf(wanted),
    boundedLow,
  );
  return { ...judgement, low: judgement.low && least + judgement.low * (greatest - least) };
}

function confidentPass(
  clusters: readonly TaskCluster[],
  passReward: number,
  k: number,
  wanted: number,
): Judgement {
  const { lowest } = passShares(clusters, passReward, k, passAtK);
  // One sample passes or not; the share of several can be anything between.
  const isBinary = clusters.every(({ scores, lost }) => scores.length + lost <= 1);
  return confidently(lowest, wanted, isBinary ? binaryLow : boundedLow);
}

/** @param observations of tasks, and what is `wanted` of them, as shares of the range */
function confidently(observations: readonly number[], wanted: number, lowOf: ConfidentLow): Judgement {
  if (observations.length === 0) return plainly(false);
  const low = lowOf(observations);
  const isReached = isAtLeast(low, wanted);
  const problem =
    isReached || !isAtLeast(plainMean(observations), wanted)
      ? null
      : tooFew(observations.length, fewestTasks(lowOf, wanted));
  return { low, isReached, problem };
}

function tooFew(tasks: number, needed: number | undefined): string | null {
  if (needed !== undefined && tasks >= needed) return null;
  const more = needed === undefined ? 'no number of tasks can' : `${needed} tasks or more can`;
  return `Too few tasks: ${tasks} cannot show it with 97.5 %, even where all are perfect; ${more}.`;
}
