import type { SampleRow } from '../../report/sample-row.ts';

const keys = {
  task: (row: SampleRow) => row.taskId,
  outcome: (row: SampleRow) => row.outcome,
  score: (row: SampleRow) => row.score,
  latency: (row: SampleRow) => row.latencyMs,
  calls: (row: SampleRow) => row.modelCalls,
  tokens: (row: SampleRow) => row.tokens,
  attempts: (row: SampleRow) => row.attempts.length,
} as const;

export type SortKey = keyof typeof keys;

/** A column and its direction, `-` for the largest first; empty for the order in which samples were recorded. */
export type SortOrder = SortKey | `-${SortKey}` | '';

export function isSortOrder(text: string): text is SortOrder {
  return text === '' || Object.hasOwn(keys, text.replace(/^-/, ''));
}

const natural = new Intl.Collator('en', { numeric: true });

/** Sorts stably; rows without a value come last in both directions. */
export function sortRows(rows: readonly SampleRow[], order: SortOrder): readonly SampleRow[] {
  if (order === '') return rows;
  const isDescending = order.startsWith('-');
  const value = keys[order.replace(/^-/, '') as SortKey];
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      if (typeof a.key === 'number' && typeof b.key === 'number') return sign * (a.key - b.key);
      return sign * natural.compare(String(a.key), String(b.key));
    })
    .map(({ row }) => row);
}
