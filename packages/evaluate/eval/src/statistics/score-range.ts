import { isInRange, isSameFigure } from '@art/ground/figures';

/** Scores that all lie between 0 and 1 are taken to be of rewards that end there. */
export function isUnitRange(clusters: readonly (readonly number[])[]): boolean {
  return clusters.every((scores) => scores.every((score) => isInRange(score, [0, 1])));
}

/** True if a score is 0 or 1. */
export function isBinary(score: number): boolean {
  return isSameFigure(score, 0) || isSameFigure(score, 1);
}
