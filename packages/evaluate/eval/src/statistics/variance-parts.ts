import { plainMean } from './clustered-mean.ts';

/** The variance of a task's mean is `between + within / samples`. */
export interface VarianceParts {
  between: number;
  within: number;
}

/**
 * Splits the variance of tasks, by the analysis of variance with random effects (Searle 1971).
 * @param tasks of each its scores; of a difference those of both runs, the second one subtracted. Without a task that has two samples, nothing is
 *   known to be within tasks
 */
export function varianceParts(tasks: readonly (readonly (readonly number[])[])[]): VarianceParts {
  const sides = tasks[0]?.length ?? 0;
  // Pooled over tasks; each side has its own chance.
  const withins = Array.from({ length: sides }, (_, side) => {
    const groups = tasks.map((task) => task[side]!).filter((scores) => scores.length > 1);
    const squares = groups.map((scores) => sumOfSquares(scores));
    const freedom = groups.reduce((sum, { length }) => sum + length - 1, 0);
    return freedom === 0 ? 0 : squares.reduce((sum, square) => sum + square, 0) / freedom;
  });
  const figures = tasks.map((task) =>
    task.reduce((sum, scores, side) => sum + (side === 0 ? 1 : -1) * plainMean(scores), 0),
  );
  const byChance = plainMean(
    tasks.map((task) => task.reduce((sum, { length }, side) => sum + withins[side]! / length, 0)),
  );
  const between = Math.max(0, sumOfSquares(figures) / (tasks.length - 1) - byChance);
  return { between, within: withins.reduce((sum, within) => sum + within, 0) };
}

function sumOfSquares(values: readonly number[]): number {
  const mean = plainMean(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
