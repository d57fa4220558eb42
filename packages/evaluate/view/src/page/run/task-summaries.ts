import { type TaskReduction, reduceScores } from '@art/eval/statistics';
import type { RolloutOutcomeKind } from '@art/protocol';
import type { SampleRow } from '../../report/sample-row.ts';

/** Results of the samples that share a task, or a tag. */
export interface Summary {
  name: string;
  rows: SampleRow[];
  /** The scores that stand for its tasks, as the reducer of the run makes them. */
  counted: readonly number[];
  /** Mean of these; undefined where there are none. */
  mean: number | undefined;
  scored: number;
}

export function summariesByTask(rows: readonly SampleRow[], run: TaskReduction | null): Summary[] {
  return summaries(rows, run, ({ taskId }) => [taskId]);
}

export function summariesByTag(rows: readonly SampleRow[], run: TaskReduction | null): Summary[] {
  return summaries(rows, run, ({ tags }) => tags);
}

/** The scores that stand for tasks: of a run without a reducer those of all samples. */
export function countedScores(rows: readonly SampleRow[], run: TaskReduction | null): readonly number[] {
  if (run?.reduce === undefined) return scoresOf(rows);
  return [...groupedBy(rows, ({ taskId }) => [taskId]).values()].flatMap((samples) =>
    reduceScores(scoresOf(samples), run),
  );
}

function scoresOf(rows: readonly SampleRow[]): number[] {
  return rows.flatMap(({ score }) => (score === null ? [] : [score]));
}

function groupedBy(
  rows: readonly SampleRow[],
  namesOf: (row: SampleRow) => readonly string[],
): Map<string, SampleRow[]> {
  const groups = new Map<string, SampleRow[]>();
  for (const row of rows) {
    for (const name of namesOf(row)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [row]);
      else group.push(row);
    }
  }
  return groups;
}

function summaries(
  rows: readonly SampleRow[],
  run: TaskReduction | null,
  namesOf: (row: SampleRow) => readonly string[],
): Summary[] {
  return [...groupedBy(rows, namesOf)].map(([name, group]) => {
    const counted = countedScores(group, run);
    return { name, rows: group, counted, mean: meanOf(counted), scored: scoresOf(group).length };
  });
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function countOutcomes(rows: readonly SampleRow[]): Map<RolloutOutcomeKind, number> {
  const counts = new Map<RolloutOutcomeKind, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}
