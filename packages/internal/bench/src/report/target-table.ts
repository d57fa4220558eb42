import { markdownTable } from './markdown-table.ts';
import type { Target } from './target.ts';

/** Targets as a table; nothing where there are none. */
export function targetTable(targets: readonly Target[]): string[] {
  if (targets.length === 0) return [];
  return [
    markdownTable(
      ['target', 'limit', 'measured', 'verdict'],
      targets.map(({ what, limit, measured, verdict }) => [
        what,
        limit,
        measured,
        verdict === 'missed' ? '**missed**' : verdict,
      ]),
    ),
  ];
}
