import type { ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { ThresholdCheck } from '../results/thresholds.ts';
import { excludedText } from './excluded-text.ts';
import { markdownCell } from './markdown-cell.ts';
import { markdownTable } from './markdown-table.ts';
import { reportTables } from './report-tables.ts';

/** The figures of a run as Markdown, for a step summary of GitHub or a comment. What tasks are called is shown as it is, never as markup. */
export function markdownSummary(
  run: RunRecord,
  results: ResultsRecord,
  checks: readonly ThresholdCheck[] = [],
): string {
  const excluded = excludedText(results.excluded, results.samples.recorded);
  return [
    `## Evaluation of ${markdownCell(run.name ?? run.agent)}`,
    ...(excluded === undefined
      ? []
      : [`> ${results.excluded.isTrusted ? 'Note' : 'Warning'}: ${markdownCell(excluded)}`]),
    ...reportTables(run, results, checks).map(markdownTable),
    `Intervals are of 95 %. Run \`${results.runId}\`, seed ${results.seed}.`,
    '',
  ].join('\n\n');
}
