import { figureChange, haveSpread } from '@art/ground/figures';
import { clusteredMean, plainMean } from './clustered-mean.ts';
import { detectableChange } from './detectable-change.ts';
import { mcnemarExact } from './mcnemar.ts';
import { type PairedCounts, pairedBinaryInterval } from './paired-binary.ts';
import { isBinary, isUnitRange } from './score-range.ts';
import { tQuantile, tTails } from './student-t.ts';
import { unseenShare } from './unseen-share.ts';

/** Second minus first, paired by task. */
export interface Difference {
  /** Mean over tasks of the differences of their mean scores. */
  value: number;
  /**
   * Lower end of the 95 % interval: 0 lies outside exactly where `pValue` is below 0.05. The whole line where nothing is known of the
   * spread.
   */
  low: number;
  high: number;
  standardError: number;
  tasks: number;
  /** How likely a difference as large is where there is none. */
  pValue: number;
  test: DifferenceTest;
  /**
   * The true difference that so many tasks would show as better or worse with a chance of some 80 %, at the spread that was seen. Null where
   * nothing is known of the spread, or the tasks are too few to show any.
   */
  detectable: number | null;
}

/**
 * - `mcnemar`: exact; one binary score a task on both sides.
 * - `t`: Student's t of the tasks' differences.
 * - `sign`: exact; all tasks differ by the same amount, which says nothing of their spread.
 */
export type DifferenceTest = 'mcnemar' | 't' | 'sign';

/** @param pairs scores of the tasks that both have; at least one score on each side @returns undefined without pairs */
export function estimateDifference(
  pairs: readonly { first: readonly number[]; second: readonly number[] }[],
): Difference | undefined {
  if (pairs.length === 0) return undefined;
  const differences = pairs.map(({ first, second }) => figureChange(plainMean(first), plainMean(second)));
  const { mean: ofAll, standardError, clusters: tasks } = clusteredMean(differences.map((it) => [it]));
  const value = figureChange(0, ofAll);
  const base = { value, standardError, tasks };
  if (pairs.every(({ first, second }) => isSingleBinary(first) && isSingleBinary(second))) {
    const counts = countChanges(differences);
    const pValue = mcnemarExact(counts.lost, counts.gained);
    const exact = detectableChange(counts);
    const detectable = exact === null ? detectableBy(standardError, tasks) : (exact ?? null);
    return { ...base, ...pairedBinaryInterval(counts), pValue, test: 'mcnemar', detectable };
  }
  if (tasks < 2) return { ...base, low: -Infinity, high: Infinity, pValue: 1, test: 't', detectable: null };
  if (!haveSpread(differences)) {
    const scores = pairs.flatMap(({ first, second }) => [first, second]);
    return { ...base, ...allAlike(value, tasks, isUnitRange(scores)), test: 'sign', detectable: null };
  }
  const half = tQuantile(0.025, tasks - 1) * standardError;
  return {
    ...base,
    low: value - half,
    high: value + half,
    pValue: tTails(value / standardError, tasks - 1),
    test: 't',
    detectable: detectableBy(standardError, tasks),
  };
}

/**
 * All differences are `value`. The sign test asks how likely it is that all tasks change in the same direction. Unseen tasks are taken to
 * be off by up to twice the value, by which 0 leaves the interval where that test says so; without a value, by as much as scores can be.
 */
function allAlike(
  value: number,
  tasks: number,
  isUnit: boolean,
): { low: number; high: number; pValue: number } {
  if (value === 0 && !isUnit) return { low: -Infinity, high: Infinity, pValue: 1 };
  const half = unseenShare(tasks) * (value === 0 ? 1 : 2 * Math.abs(value));
  return { low: value - half, high: value + half, pValue: value === 0 ? 1 : Math.min(1, 2 * 0.5 ** tasks) };
}

/** Bloom (1995): so many standard errors that 80 % of the estimates lie beyond the point where 0 leaves the interval. */
function detectableBy(standardError: number, tasks: number): number | null {
  if (!(standardError > 0)) return null;
  return (tQuantile(0.025, tasks - 1) + tQuantile(0.2, tasks - 1)) * standardError;
}

function countChanges(differences: readonly number[]): PairedCounts {
  const gained = differences.filter((difference) => difference > 0).length;
  const lost = differences.filter((difference) => difference < 0).length;
  return { gained, lost, same: differences.length - gained - lost };
}

function isSingleBinary(scores: readonly number[]): boolean {
  return scores.length === 1 && isBinary(scores[0]!);
}
