import { isAtLeast, isSameFigure } from '@art/ground/figures';

/** The rule by which the samples of a task make its score. A record of a run has these fields. */
export interface TaskReduction {
  /**
   * `mean`, `median`, `mode` (of values that are equally frequent the lowest), or `at-least:2`: 1 where at least two samples pass, else 0.
   * @default 'mean'
   */
  reduce?: string | undefined;
  /** Reward from which a sample passes. */
  passReward: number;
  /** Wanted samples of each task. */
  samples: number;
}

const form = /^(?:mean|median|mode|at-least:([1-9]\d{0,5}))$/;

/** True for the name of a reducer. */
export function isReducer(value: unknown): boolean {
  return typeof value === 'string' && form.test(value);
}

/** The k of `at-least:k`; undefined for other reducers. */
export function leastPasses(reduce = 'mean'): number | undefined {
  const k = form.exec(reduce)?.[1];
  return k === undefined ? undefined : Number(k);
}

/** True if scores of both can be compared. The mean is of as many samples as there are; other reducers come to something else with more of them. */
export function isSameReduction(first: TaskReduction, second: TaskReduction): boolean {
  const { reduce = 'mean' } = first;
  if (reduce !== (second.reduce ?? 'mean')) return false;
  if (reduce === 'mean') return true;
  const isSamePass = leastPasses(reduce) === undefined || isSameFigure(first.passReward, second.passReward);
  return isSamePass && first.samples === second.samples;
}

/** "the median of 3 samples", "at least 2 of 3 samples pass" */
export function reductionText({ reduce = 'mean', samples }: TaskReduction): string {
  const least = leastPasses(reduce);
  return least === undefined
    ? `the ${reduce} of ${samples} samples`
    : `at least ${least} of ${samples} samples pass`;
}

/**
 * Gives the scores that stand for a task: all of them for the mean, else the one that its reducer makes of them. A lost sample is never a 0. Mean,
 * median and mode are of the samples that have a score. With `at-least` a task has no score where its lost samples decide whether enough pass.
 * @param scores of the samples that have one
 */
export function reduceScores(
  scores: readonly number[],
  { reduce = 'mean', passReward, samples }: TaskReduction,
): readonly number[] {
  const least = leastPasses(reduce);
  if (least !== undefined) {
    const passed = scores.filter((score) => isAtLeast(score, passReward)).length;
    if (passed >= least) return [1];
    return passed + Math.max(0, samples - scores.length) < least ? [0] : [];
  }
  if (reduce === 'mean' || scores.length === 0) return scores;
  const sorted = scores.toSorted((first, second) => first - second);
  if (reduce === 'mode') return [modeOf(sorted)];
  const middle = (sorted.length - 1) / 2;
  return [(sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2];
}

/** @param sorted ascending, at least one; values that only rounding tells apart are one */
function modeOf(sorted: readonly number[]): number {
  let [mode, most, first] = [sorted[0]!, 0, 0];
  for (const [at, value] of sorted.entries()) {
    if (!isSameFigure(value, sorted[first]!)) first = at;
    if (at - first < most) continue;
    mode = sorted[first]!;
    most = at - first + 1;
  }
  return mode;
}
