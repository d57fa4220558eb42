import type { TaskReduction } from '@art/eval/statistics';
import { figureChange } from '@art/ground/figures';
import type { SampleRow } from '../../report/sample-row.ts';
import { type Summary, summariesByTask } from '../run/task-summaries.ts';

/** Results of a task in two runs. */
export interface TaskPair {
  name: string;
  before: Summary | undefined;
  after: Summary | undefined;
  /** Difference of the means; undefined where either has none. */
  difference: number | undefined;
  change: Change;
}

export const changes = ['worse', 'better', 'same', 'one-sided'] as const;
/** `one-sided`: only one of the runs has a score for it. */
export type Change = (typeof changes)[number];

/** The rows of a run, and its reducer. */
export interface PairedRun {
  rows: readonly SampleRow[];
  run: TaskReduction | null;
}

/** The tasks of two runs, those that differ most first, then those that only one has a score for. */
export function pairTasks(before: PairedRun, after: PairedRun): TaskPair[] {
  const known = new Map(summariesByTask(before.rows, before.run).map((summary) => [summary.name, summary]));
  const later = summariesByTask(after.rows, after.run);
  const seen = new Set(later.map(({ name }) => name));
  const pairs = [
    ...later.map((summary) => pairOf(summary.name, known.get(summary.name), summary)),
    ...[...known.values()]
      .filter(({ name }) => !seen.has(name))
      .map((summary) => pairOf(summary.name, summary, undefined)),
  ];
  const size = ({ difference }: TaskPair): number => (difference === undefined ? -1 : Math.abs(difference));
  return pairs.toSorted((a, b) => size(b) - size(a));
}

function pairOf(name: string, before: Summary | undefined, after: Summary | undefined): TaskPair {
  const [from, to] = [before?.mean, after?.mean];
  if (from === undefined || to === undefined)
    return { name, before, after, difference: undefined, change: 'one-sided' };
  const difference = figureChange(from, to);
  const change = difference === 0 ? 'same' : difference > 0 ? 'better' : 'worse';
  return { name, before, after, difference, change };
}
