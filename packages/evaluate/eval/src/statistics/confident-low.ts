import { boundedMeanInterval } from './bounded-mean.ts';
import { incompleteBeta } from './incomplete-beta.ts';

/** A lower end that holds with 97.5 %, by the observations of tasks, which lie between 0 and 1. */
export type ConfidentLow = (observations: readonly number[]) => number;

/** The lower end for any distribution. */
export const boundedLow: ConfidentLow = (observations) => boundedMeanInterval(observations).low;

/** The lower end for observations that cannot be anything but 0 and 1: Clopper and Pearson (1934). */
export const binaryLow: ConfidentLow = (observations) => {
  const passed = observations.filter((seen) => seen > 0.5).length;
  if (passed === 0) return 0;
  let [low, high] = [0, passed / observations.length];
  for (let round = 0; round < 50; round += 1) {
    const middle = (low + high) / 2;
    // The chance of as many passes, were the share this one.
    if (incompleteBeta(middle, passed, observations.length - passed + 1) < 0.025) low = middle;
    else high = middle;
  }
  return low;
};

const mostTasks = 1_000_000;

/** The number of tasks from which on a share can be shown at all, if every one of them is a 1; undefined where no number is enough. */
export function fewestTasks(lowOf: ConfidentLow, share: number): number | undefined {
  const isShown = (tasks: number): boolean => lowOf(Array.from({ length: tasks }, () => 1)) >= share;
  let [few, enough] = [0, 1];
  while (!isShown(enough)) {
    if (enough >= mostTasks) return undefined;
    [few, enough] = [enough, enough * 2];
  }
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (isShown(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}
