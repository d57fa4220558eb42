/**
 * A sum that does not depend on the order of the scores, as that of current Pythons: what each addition rounds off is added at the end
 * (Neumaier). Added up plainly, 0.1, 0.2 and 0.3 are more than 0.3, 0.2 and 0.1.
 */
export function scoreSum(scores: readonly number[]): number {
  let total = 0;
  let rounded = 0;
  for (const score of scores) {
    const next = total + score;
    rounded += Math.abs(total) >= Math.abs(score) ? total - next + score : score - next + total;
    total = next;
  }
  return total + rounded;
}

export function scoreMean(scores: readonly number[]): number {
  return scoreSum(scores) / scores.length;
}
