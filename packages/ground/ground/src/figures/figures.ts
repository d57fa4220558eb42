/**
 * The distance up to which two figures are the same, as a share of the larger one. Rewards are sums of products of decimals and means are
 * sums of rewards: a sum of a million terms is off by some 1e-11 of itself, and rewards with nine digits that count are not known.
 */
const relativeTolerance = 1e-9;

/** The same beside 0, where a rest of rounding is a share of nothing: 1 - 0.9 - 0.1 is -2.8e-17. */
const absoluteTolerance = 1e-12;

/** True if only rounding tells two figures apart. Infinities are the same as themselves, and NaN is the same as nothing. */
export function isSameFigure(figure: number, other: number): boolean {
  if (figure === other) return true;
  const larger = Math.max(Math.abs(figure), Math.abs(other));
  // An infinite tolerance would make everything the same as infinity.
  if (!(larger < Infinity)) return false;
  return Math.abs(figure - other) <= Math.max(absoluteTolerance, relativeTolerance * larger);
}

/** True if a figure is higher than another one by more than rounding. Never for NaN. */
export function isAbove(figure: number, other: number): boolean {
  return figure > other && !isSameFigure(figure, other);
}

/** True if a figure reaches a bound, but for rounding. Never for NaN. */
export function isAtLeast(figure: number, bound: number): boolean {
  return figure >= bound || isSameFigure(figure, bound);
}

/** True if a figure lies between two bounds or on one of them, but for rounding. Never for NaN. */
export function isInRange(figure: number, [lowest, highest]: readonly [number, number]): boolean {
  return isAtLeast(figure, lowest) && isAtLeast(highest, figure);
}

/** True if figures differ by more than rounding. One figure has no spread, and neither have none. */
export function haveSpread(figures: readonly number[]): boolean {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const figure of figures) {
    if (figure < lowest) lowest = figure;
    if (figure > highest) highest = figure;
  }
  return isAbove(highest, lowest);
}

/** The sum of counts or costs; null where one of them is not known, as a part is no sum. */
export function sumOfKnown(figures: readonly (number | null)[]): number | null {
  return figures.reduce((sum, figure) => (sum === null || figure === null ? null : sum + figure), 0);
}

/** The second figure minus the first one, and 0 where only rounding tells them apart. */
export function figureChange(first: number, second: number): number {
  return isSameFigure(first, second) ? 0 : second - first;
}
