import { isSameFigure } from '@art/ground/figures';

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
  const values: ScoreBin[] = [];
  for (const score of scores.toSorted((a, b) => a - b)) {
    const last = values.at(-1);
    if (last !== undefined && isSameFigure(last.from, score)) last.count += 1;
    else values.push({ from: score, to: score, count: 1 });
  }
  if (values.length <= mostValues) return values;
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
