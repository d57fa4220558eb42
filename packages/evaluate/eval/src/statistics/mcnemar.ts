/**
 * Two-sided exact McNemar test: the probability, were both equally good, of a difference as large as this among the pairs that
 * disagree.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  const pairs = onlyFirst + onlySecond;
  if (pairs === 0) return 1;
  // Terms of the binomial distribution with 1/2, from its logarithm: 2^-pairs leaves the range of a double past 1,074.
  let logTerm = -pairs * Math.LN2;
  let sum = Math.exp(logTerm);
  for (let at = 1; at <= Math.min(onlyFirst, onlySecond); at += 1) {
    logTerm += Math.log((pairs - at + 1) / at);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, 2 * sum);
}
