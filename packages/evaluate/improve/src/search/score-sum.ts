/** Plain: what rounding makes of another order, `isAbove` does not see. */
export function scoreSum(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0);
}

export function scoreMean(scores: readonly number[]): number {
  return scoreSum(scores) / scores.length;
}
