/** The most events within any second, wherever it begins. */
export function mostPerSecond(timesMs: readonly number[]): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, timeMs] of sorted.entries()) {
    while (timeMs - sorted[first]! >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
