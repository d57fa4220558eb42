/**
 * The regularised incomplete beta function I_x(a, b): the probability that a beta variable is at most `x`. By the continued fraction of
 * DLMF 8.17.22 (https://dlmf.nist.gov/8.17#v), evaluated with Lentz's method.
 * @param x between 0 and 1 @param a above 0 @param b above 0
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  return front * fraction(x, a, b);
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

const mostTerms = 10_000;
const tiny = 1e-300;

function fraction(x: number, a: number, b: number): number {
  let value = 1;
  let numerator = 1;
  let denominator = 0;
  for (let term = 1; term < mostTerms; term += 1) {
    const step = coefficient(x, a, b, term);
    denominator = 1 / away(1 + step * denominator);
    numerator = away(1 + step / numerator);
    const factor = numerator * denominator;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return 1 / value;
}

/** Coefficient d of the term, from 1. */
function coefficient(x: number, a: number, b: number, term: number): number {
  const half = Math.floor(term / 2);
  return term % 2 === 0
    ? (half * (b - half) * x) / ((a + term - 1) * (a + term))
    : (-(a + half) * (a + b + half) * x) / ((a + term - 1) * (a + term));
}

/** Not 0, by which the method could not divide. */
function away(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** Stirling's series past 12 (DLMF 5.11.1), and the recurrence below. @param x above 0 */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 12; at += 1) shift -= Math.log(at);
  const square = 1 / (at * at);
  const series =
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / at;
  return shift + (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series;
}
