import { haveSpread } from '@art/ground/figures';
import { type ClusteredMean, clusteredMean, plainMean } from './clustered-mean.ts';
import type { Estimate } from '../records/results-record.ts';
import { isBinary, isUnitRange } from './score-range.ts';
import { tQuantile } from './student-t.ts';
import { unseenShare } from './unseen-share.ts';
import { effectiveCount, wilsonInterval } from './wilson-interval.ts';

/**
 * The mean of scores and its interval over tasks. Scores of 0 and 1 get Wilson's interval, by the number of independent samples
 * that they are worth; others Student's t over tasks.
 * @param clusters scores of each task
 * @returns undefined where there are no scores
 */
export function estimateMean(clusters: readonly (readonly number[])[]): Estimate | undefined {
  const filled = clusters.filter((scores) => scores.length > 0);
  if (filled.length === 0) return undefined;
  const isPassed = filled.every((scores) => scores.every(isBinary));
  // Rounding must not leave the range that Wilson's interval is about.
  const summary = clusteredMean(isPassed ? filled.map((scores) => scores.map(Math.round)) : filled);
  const { mean: value, standardError, samples, clusters: tasks } = summary;
  const base = { value, standardError, samples, tasks };
  if (isPassed) {
    const isSingle = samples === tasks;
    // Tasks with more samples count for more, so that unequal ones are worth fewer.
    const fewest = samples ** 2 / filled.reduce((sum, { length }) => sum + length ** 2, 0);
    const count = isSingle ? samples : effectiveCount(summary, fewest);
    return { ...base, ...wilsonInterval(value, count), method: isSingle ? 'wilson' : 'wilson-clustered' };
  }
  return { ...base, ...overTasks(summary, filled) };
}

/**
 * The mean of one share a task, such as pass@k, and its interval.
 * @param shares between 0 and 1
 * @param samples that they rest on @param k how many of them one trial takes
 */
export function estimateShare(shares: readonly number[], samples: number, k: number): Estimate | undefined {
  if (shares.length === 0) return undefined;
  const summary = clusteredMean(shares.map((share) => [share]));
  const { mean: value, standardError, clusters: tasks } = summary;
  const trials = Math.max(tasks, Math.floor(samples / k));
  const isSingle = samples === tasks;
  const count = isSingle ? tasks : effectiveCount({ ...summary, samples: trials }, tasks);
  return {
    value,
    standardError,
    samples,
    tasks,
    ...wilsonInterval(value, count),
    method: isSingle ? 'wilson' : 'wilson-clustered',
  };
}

function overTasks(
  { mean, standardError, clusters }: ClusteredMean,
  filled: readonly (readonly number[])[],
): Pick<Estimate, 'low' | 'high' | 'method'> {
  const unbounded = { low: -Infinity, high: Infinity, method: 'none' } as const;
  if (clusters < 2) return unbounded;
  const isUnit = isUnitRange(filled);
  if (!haveSpread(filled.map(plainMean))) {
    if (!isUnit) return unbounded;
    const unseen = unseenShare(clusters);
    return { low: mean - unseen * mean, high: mean + unseen * (1 - mean), method: 'unseen' };
  }
  const half = tQuantile(0.025, clusters - 1) * standardError;
  const [low, high] = [mean - half, mean + half];
  return { low: isUnit ? Math.max(0, low) : low, high: isUnit ? Math.min(1, high) : high, method: 't' };
}
