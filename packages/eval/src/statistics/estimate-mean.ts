import { bootstrapMean } from './bootstrap-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import type { Estimate } from '../records/results-record.ts';
import { effectiveCount, wilsonInterval } from './wilson-interval.ts';

/**
 * The mean of scores and its interval over tasks. Scores of 0 and 1 get Wilson's interval, by the number of independent samples
 * that they are worth; others a seeded bootstrap over tasks.
 * @param clusters scores of each task
 * @returns undefined where there are no scores
 */
export function estimateMean(clusters: readonly (readonly number[])[], seed: number): Estimate | undefined {
  const filled = clusters.filter((scores) => scores.length > 0);
  if (filled.length === 0) return undefined;
  const summary = clusteredMean(filled);
  const { mean: value, standardError, samples, clusters: tasks } = summary;
  const base = { value, standardError, samples, tasks };
  const isBinary = filled.every((scores) => scores.every((score) => score === 0 || score === 1));
  if (isBinary) {
    const isSingle = samples === tasks;
    const count = isSingle ? samples : effectiveCount(summary);
    return { ...base, ...wilsonInterval(value, count), method: isSingle ? 'wilson' : 'wilson-clustered' };
  }
  if (tasks < 2) return { ...base, low: -Infinity, high: Infinity, method: 'none' };
  return { ...base, ...bootstrapMean(filled, seed), method: 'bootstrap' };
}

/**
 * The mean of one share a task, such as pass@k, and its interval.
 * @param shares between 0 and 1
 * @param samples that they rest on @param k how many of them one trial takes
 */
export function estimateShare(shares: readonly number[], samples: number, k: number): Estimate | undefined {
  if (shares.length === 0) return undefined;
  const { mean: value, standardError, clusters: tasks } = clusteredMean(shares.map((share) => [share]));
  const trials = Math.max(tasks, Math.floor(samples / k));
  const count = effectiveCount({ mean: value, standardError, samples: trials, clusters: tasks });
  const isSingle = samples === tasks;
  return {
    value,
    standardError,
    samples,
    tasks,
    ...wilsonInterval(value, isSingle ? tasks : count),
    method: isSingle ? 'wilson' : 'wilson-clustered',
  };
}
