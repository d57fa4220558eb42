import { apartText, type EvalRun, reportTables, type ThresholdCheck, type Verdict } from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';

const verdictTexts: Record<Verdict, string> = {
  passed: 'Every threshold is reached.',
  below: 'A threshold is not reached.',
  not_judged: 'The run could not be judged.',
};

/** The figures of a run for a person. */
export function formatResults(
  { record, results }: EvalRun,
  verdict: Verdict,
  checks: readonly ThresholdCheck[],
  folder: string,
): string {
  const sections = reportTables(record, results, checks).map(({ columns, rows }) =>
    formatTable(
      columns,
      rows.map(([name = '', ...cells]) => [oneLine(name), ...cells]),
    ),
  );
  const apart = apartText(results.apart, results.samples.recorded);
  if (apart !== undefined) sections.push(`${apart}\n`);
  if (results.mean === null) sections.push(notJudged);
  if (checks.length > 0 || verdict === 'not_judged') sections.push(`${verdictTexts[verdict]}\n`);
  sections.push(`Everything is in ${folder}.\n`);
  return sections.join('\n');
}

const notJudged =
  'No sample has a reward. Return { reward: number } from the agent, or judge with --reward reward.ts; "art rescore" judges what is written down.\n';

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
