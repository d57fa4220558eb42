// Quantile of the normal distribution for 95 %, two-sided.
const z = 1.959964;

/**
 * The 95 % confidence interval of a proportion by Wilson's score method, which holds also for few trials and for
 * proportions near 0 and 1 (https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval).
 * Without any trial it is everything from 0 to 1.
 */
export function wilsonInterval(successes: number, trials: number): { low: number; high: number } {
  if (trials === 0) return { low: 0, high: 1 };
  const proportion = successes / trials;
  const denominator = 1 + z ** 2 / trials;
  const centre = (proportion + z ** 2 / (2 * trials)) / denominator;
  const spread =
    (z * Math.sqrt((proportion * (1 - proportion)) / trials + z ** 2 / (4 * trials ** 2))) / denominator;
  // Rounding may leave the range by some 1e-17.
  return { low: Math.max(0, centre - spread), high: Math.min(1, centre + spread) };
}
