import { isInRange } from '@art/ground/figures';
import { passShares } from '../results/pass-estimate.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { passAtK, passPowerK } from '../statistics/pass-at-k.ts';
import type { GoalFigure } from './goal.ts';

/** The range in which the figure of a task lies, and the task's own figure. */
export interface GoalScale {
  least: number;
  greatest: number;
  /** Undefined where a task says nothing: it has no scores, or none in the baseline. */
  figureOf(taskId: string, scores: readonly number[]): number | undefined;
  /** A score of which nothing holds, as it lies outside of the rewards that a task can give. */
  outsider(scores: readonly number[]): number | undefined;
}

/** @param baseline scores of each task in the run that is compared with */
export function scaleOf(
  figure: GoalFigure,
  {
    rewardRange: range,
    passReward,
    baseline,
  }: {
    rewardRange: readonly [least: number, greatest: number];
    passReward: number;
    baseline: ReadonlyMap<string, readonly number[]>;
  },
): GoalScale {
  const [least, greatest] = range;
  const outsider = (scores: readonly number[]): number | undefined =>
    scores.find((score) => !isInRange(score, range));
  switch (figure.name) {
    case 'mean':
      return { least, greatest, outsider, figureOf: (_, scores) => meanOf(scores) };
    case 'pass':
      return {
        least: 0,
        greatest: 1,
        outsider: () => undefined,
        figureOf: (_, scores) =>
          passShares([{ scores, lost: 0 }], passReward, figure.k, figure.of === 'any' ? passAtK : passPowerK)
            .able[0],
      };
    case 'difference':
      return {
        least: least - greatest,
        greatest: greatest - least,
        outsider,
        figureOf: (taskId, scores) => {
          const [was, is] = [meanOf(baseline.get(taskId) ?? []), meanOf(scores)];
          return was === undefined || is === undefined ? undefined : is - was;
        },
      };
  }
}

function meanOf(scores: readonly number[]): number | undefined {
  return scores.length === 0 ? undefined : plainMean(scores);
}
