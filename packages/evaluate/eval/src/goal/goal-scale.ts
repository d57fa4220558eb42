import { isInRange } from '@art/ground/figures';
import { passShares } from '../results/pass-estimate.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { passAtK, passPowerK } from '../statistics/pass-at-k.ts';
import { leastPasses, type TaskReduction, reduceScores } from '../statistics/reduce-scores.ts';
import type { GoalFigure } from './goal.ts';

/** The range in which the figure of a task lies, and the task's own figure by its scores and those of the baseline. */
export interface GoalScale {
  least: number;
  greatest: number;
  /** Undefined where a task says nothing: it has no scores, or none in the baseline. */
  figureOf(scores: readonly number[], before: readonly number[]): number | undefined;
  /** A score of which nothing holds, as it lies outside of the rewards that a task can give. */
  outsider(scores: readonly number[]): number | undefined;
}

export function scaleOf(
  figure: GoalFigure,
  rewardRange: readonly [least: number, greatest: number],
  run: TaskReduction,
): GoalScale {
  const range = leastPasses(run.reduce) === undefined ? rewardRange : ([0, 1] as const);
  const [least, greatest] = range;
  const outsider = (scores: readonly number[]): number | undefined =>
    reduceScores(scores, run).find((score) => !isInRange(score, range));
  const figureOfTask = (scores: readonly number[]): number | undefined => {
    const counted = reduceScores(scores, run);
    return counted.length === 0 ? undefined : plainMean(counted);
  };
  switch (figure.name) {
    case 'mean':
      return { least, greatest, outsider, figureOf: figureOfTask };
    case 'pass':
      return {
        least: 0,
        greatest: 1,
        outsider: () => undefined,
        figureOf: (scores) =>
          passShares(
            [{ scores, lost: 0 }],
            run.passReward,
            figure.k,
            figure.of === 'any' ? passAtK : passPowerK,
          ).able[0],
      };
    case 'difference':
      return {
        least: least - greatest,
        greatest: greatest - least,
        outsider,
        figureOf: (scores, before) => {
          const [was, is] = [figureOfTask(before), figureOfTask(scores)];
          return was === undefined || is === undefined ? undefined : is - was;
        },
      };
  }
}
