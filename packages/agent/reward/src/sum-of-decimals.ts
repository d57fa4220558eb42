/** A double keeps as many digits of every decimal. */
const keptDigits = 15;

/**
 * The sum of numbers that were written as decimals: 0.1 + 0.2 is 0.3, and .6 + .3 + .1 is 1. It is rounded to the 15th digit of its largest
 * part, behind which only the roundings of doubles stand.
 */
export function sumOfDecimals(parts: readonly number[]): number {
  const sum = parts.reduce((total, part) => total + part, 0);
  const largest = parts.reduce((most, part) => Math.max(most, Math.abs(part)), Math.abs(sum));
  const places = keptDigits - 1 - Math.floor(Math.log10(largest));
  return places >= 0 && places <= 100 ? Number(sum.toFixed(places)) + 0 : sum;
}
