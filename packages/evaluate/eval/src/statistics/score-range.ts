/** Scores that all lie between 0 and 1 are taken to be of rewards that end there. */
export function isUnitRange(clusters: readonly (readonly number[])[]): boolean {
  return clusters.every((scores) => scores.every((score) => score >= 0 && score <= 1));
}
