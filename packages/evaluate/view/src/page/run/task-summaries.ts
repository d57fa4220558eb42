import type { RolloutOutcomeKind } from '@art/protocol';
import type { SampleRow } from '../../report/sample-row.ts';

/** What became of the samples that share a task, or a tag. */
export interface Summary {
  name: string;
  rows: SampleRow[];
  /** Of those with a score; undefined where none has one. */
  mean: number | undefined;
  scored: number;
}

export function summariesByTask(rows: readonly SampleRow[]): Summary[] {
  return summaries(rows, ({ taskId }) => [taskId]);
}

export function summariesByTag(rows: readonly SampleRow[]): Summary[] {
  return summaries(rows, ({ tags }) => tags);
}

function summaries(rows: readonly SampleRow[], namesOf: (row: SampleRow) => readonly string[]): Summary[] {
  const groups = new Map<string, SampleRow[]>();
  for (const row of rows) {
    for (const name of namesOf(row)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [row]);
      else group.push(row);
    }
  }
  return [...groups].map(([name, group]) => {
    const scores = group.flatMap(({ score }) => (score === null ? [] : [score]));
    return { name, rows: group, mean: meanOf(scores), scored: scores.length };
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
