/** How many scores lie in a bin; both bounds belong to it where they are equal, else the upper one only in the last. */
export interface ScoreBin {
  from: number;
  to: number;
  count: number;
}

const mostValues = 12;
const bins = 20;

/** Few different values each get a bin of their own; many are shared out over 20 of equal width. */
export function scoreBins(scores: readonly number[]): ScoreBin[] {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  if (counts.size <= mostValues) {
    return [...counts]
      .toSorted(([a], [b]) => a - b)
      .map(([value, count]) => ({ from: value, to: value, count }));
  }
  const low = scores.reduce((a, b) => Math.min(a, b));
  const high = scores.reduce((a, b) => Math.max(a, b));
  const width = (high - low) / bins;
  const binned = Array.from({ length: bins }, (_, at) => ({
    from: low + at * width,
    to: low + (at + 1) * width,
    count: 0,
  }));
  for (const score of scores) binned[Math.min(bins - 1, Math.floor((score - low) / width))]!.count += 1;
  return binned;
}
