import { bootstrapMean } from './bootstrap-mean.ts';
import { clusteredMean } from './clustered-mean.ts';
import { mcnemarExact } from './mcnemar.ts';
import { randomSource } from './random-source.ts';

/** Second minus first, paired by task. */
export interface Difference {
  /** Mean over tasks of the differences of their mean scores. */
  value: number;
  /** Of 95 %, by a seeded bootstrap over tasks; the whole line where there are fewer than two tasks. */
  low: number;
  high: number;
  standardError: number;
  tasks: number;
  /** How likely a difference as large is where there is none. */
  pValue: number;
  /** `mcnemar`: exact, one binary score a task on both sides. `sign-flip`: signs of the tasks' differences drawn at random. */
  test: 'mcnemar' | 'sign-flip';
}

const flips = 10_000;

/** @param pairs scores of the tasks that both have; at least one score on each side @returns undefined without pairs */
export function estimateDifference(
  pairs: readonly { first: readonly number[]; second: readonly number[] }[],
  seed: number,
): Difference | undefined {
  if (pairs.length === 0) return undefined;
  const differences = pairs.map(({ first, second }) => mean(second) - mean(first));
  const { mean: value, standardError } = clusteredMean(differences.map((difference) => [difference]));
  const interval =
    pairs.length < 2
      ? { low: -Infinity, high: Infinity }
      : bootstrapMean(
          differences.map((difference) => [difference]),
          seed,
        );
  const isBinary = pairs.every(({ first, second }) => isSingleBinary(first) && isSingleBinary(second));
  const [pValue, test] = isBinary
    ? ([mcnemarExact(countOf(differences, -1), countOf(differences, 1)), 'mcnemar'] as const)
    : ([signFlip(differences, seed), 'sign-flip'] as const);
  return { value, ...interval, standardError, tasks: pairs.length, pValue, test };
}

/** The paired permutation test: under no difference each sign is as likely as the other. */
function signFlip(differences: readonly number[], seed: number): number {
  const random = randomSource(seed);
  const seen = Math.abs(sum(differences)) - 1e-12;
  let asLarge = 0;
  for (let round = 0; round < flips; round += 1) {
    let flipped = 0;
    for (const difference of differences) flipped += random() < 0.5 ? difference : -difference;
    if (Math.abs(flipped) >= seen) asLarge += 1;
  }
  return (asLarge + 1) / (flips + 1);
}

function isSingleBinary(scores: readonly number[]): boolean {
  return scores.length === 1 && (scores[0] === 0 || scores[0] === 1);
}

function countOf(values: readonly number[], wanted: number): number {
  return values.filter((value) => value === wanted).length;
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
