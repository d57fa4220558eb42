import { isAtLeast } from '@art/ground/figures';
import type { Estimate, PassEstimate } from '../records/results-record.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { estimateMean, estimateShare } from '../statistics/estimate-mean.ts';
import { leastPasses, type TaskReduction, reduceScores } from '../statistics/reduce-scores.ts';
import type { passAtK } from '../statistics/pass-at-k.ts';
import type { TaskScores } from './task-scores.ts';
import { scoresOf } from './task-scores.ts';

/** The scores of a task, and how many of its samples have none. */
export interface TaskCluster {
  scores: readonly number[];
  lost: number;
}

/** @param samples that were wanted of each task */
export function clustersOf(tasks: Iterable<TaskScores>, samples: number): TaskCluster[] {
  return Array.from(tasks, (task) => {
    const scores = scoresOf(task);
    return { scores, lost: Math.max(0, samples - scores.length) };
  });
}

/** The share of k samples of each task: of tasks with k scores, and of all where lost samples had failed or passed. */
export function passShares(
  clusters: readonly TaskCluster[],
  passReward: number,
  k: number,
  estimator: typeof passAtK,
): { able: number[]; lowest: number[]; highest: number[]; samples: number; lost: number } {
  const shares = {
    able: [] as number[],
    lowest: [] as number[],
    highest: [] as number[],
    samples: 0,
    lost: 0,
  };
  for (const { scores, lost } of clusters) {
    const passed = scores.filter((score) => isAtLeast(score, passReward)).length;
    if (scores.length >= k) {
      const share = estimator(passed, scores.length, k);
      shares.able.push(share);
      shares.lowest.push(share);
      shares.highest.push(share);
      shares.samples += scores.length;
    } else if (k > 1 && scores.length + lost >= k) {
      shares.lowest.push(estimator(passed, scores.length + lost, k));
      shares.highest.push(estimator(passed + lost, scores.length + lost, k));
      shares.lost += 1;
    }
  }
  return shares;
}

/**
 * The probability that of k samples one passes, or all do. Tasks with fewer than k scores cannot be left out where samples were lost: those that
 * lose samples are not like the others. What they can come to at worst and at best bounds the figure.
 * @returns undefined where no task has `k` scored samples
 */
export function passEstimate(
  clusters: readonly TaskCluster[],
  passReward: number,
  k: number,
  estimator: typeof passAtK,
): Required<PassEstimate> | undefined {
  const { able, lowest, highest, samples, lost } = passShares(clusters, passReward, k, estimator);
  const estimate = estimateShare(able, samples, k);
  if (estimate === undefined) return undefined;
  if (lost === 0) return { ...estimate, bounds: null };
  const [least, most] = [lowest, highest].map((shares) => estimateShare(shares, samples + lost * k, k)!);
  const bounds = { low: plainMean(lowest), high: plainMean(highest), tasks: lost };
  return { ...estimate, low: least!.low, high: most!.high, bounds };
}

/** The mean score of tasks, as the run's reducer makes it of their samples. Tasks that lost samples decide are in the bounds only. */
export function meanEstimate(clusters: readonly TaskCluster[], run: TaskReduction): PassEstimate | undefined {
  const least = leastPasses(run.reduce);
  if (least !== undefined) return repeatedShare(clusters, run.passReward, least);
  return estimateMean(clusters.map(({ scores }) => reduceScores(scores, run)));
}

/** Gives 1 for a task of which at least k samples pass, else 0: at lowest, were its lost samples failed, and at highest, were they passed. */
export function repeatedPasses(
  clusters: readonly TaskCluster[],
  passReward: number,
  k: number,
): { lowest: number[]; highest: number[] } {
  const able = clusters.filter(({ scores, lost }) => scores.length + lost >= k);
  const passed = able.map(({ scores }) => scores.filter((score) => isAtLeast(score, passReward)).length);
  return {
    lowest: passed.map((count) => Number(count >= k)),
    highest: passed.map((count, at) => Number(count + able[at]!.lost >= k)),
  };
}

/**
 * The share of tasks of which at least k samples pass. Tasks that lost samples decide are in the bounds only.
 * @returns undefined where nothing is known of any task, or none has k samples
 */
export function repeatedShare(
  clusters: readonly TaskCluster[],
  passReward: number,
  k: number,
): Required<PassEstimate> | undefined {
  const { lowest, highest } = repeatedPasses(clusters, passReward, k);
  const known = lowest.filter((value, at) => value === highest[at]);
  const estimate = shareOf(known);
  if (estimate === undefined) return undefined;
  const tasks = lowest.length - known.length;
  if (tasks === 0) return { ...estimate, bounds: null };
  const [least, most] = [shareOf(lowest)!, shareOf(highest)!];
  return {
    ...estimate,
    low: least.low,
    high: most.high,
    bounds: { low: least.value, high: most.value, tasks },
  };
}

function shareOf(values: readonly number[]): Estimate | undefined {
  return estimateMean(values.map((value) => [value]));
}
