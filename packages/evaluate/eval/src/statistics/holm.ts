/**
 * Holm's adjustment of p values (1979): where each adjusted one is held against 0.05, the chance that any of them is below it by chance alone
 * is at most 5 %, however they depend on each other.
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = [...pValues];
  const order = [...pValues.keys()].toSorted((one, other) => pValues[one]! - pValues[other]!);
  let highest = 0;
  for (const [rank, at] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (order.length - rank) * pValues[at]!));
    adjusted[at] = highest;
  }
  return adjusted;
}
