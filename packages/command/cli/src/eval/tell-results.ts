import {
  excludedText,
  type EvalRun,
  reportTables,
  type ThresholdCheck,
  type ThresholdVerdict,
} from '@art/eval';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatTable } from '../terminal/format-table.ts';
import { cutLine } from '../terminal/cut-line.ts';
import { shownPath } from './shown-path.ts';

const verdictTexts: Record<ThresholdVerdict, string> = {
  passed: 'Every threshold is reached.',
  below: 'A threshold is not reached.',
  not_judged: 'The run could not be judged.',
};

/** Tells the figures of a run: tables for people, with `json` one object. */
export function tellResults(
  run: EvalRun,
  { verdict, checks }: ReturnType<EvalRun['check']>,
  json: boolean,
  context: Pick<CliContext, 'stdout' | 'env' | 'cwd'>,
): void {
  const { results, folder } = run;
  eventWriter<object>(context, json, () =>
    formatResults(run, verdict, checks, shownPath(context.cwd, folder)),
  )({ ...results, folder, verdict, checks });
}

function formatResults(
  { record, results }: EvalRun,
  verdict: ThresholdVerdict,
  checks: readonly ThresholdCheck[],
  folder: string,
): string {
  const sections = reportTables(record, results, checks).map(({ columns, rows }) =>
    formatTable(
      columns,
      rows.map(([name = '', ...cells]) => [cutLine(name), ...cells]),
    ),
  );
  const excluded = excludedText(results.excluded, results.samples.recorded);
  if (excluded !== undefined) sections.push(`${excluded}\n`);
  if (results.mean === null) sections.push(notJudged);
  if (checks.length > 0 || verdict === 'not_judged') sections.push(`${verdictTexts[verdict]}\n`);
  if (isCutShort(results))
    sections.push(
      `${results.ceiling?.reached?.message ?? 'A ceiling has cut samples off.'} What is missing is no failure: "art eval --resume ${folder} --ceiling ..." continues with a higher one.\n`,
    );
  sections.push(`Everything is in ${folder}.\n`);
  return sections.join('\n');
}

/** True if a ceiling of the run has left samples out. */
export function isCutShort({ ceiling, isComplete }: EvalRun['results']): boolean {
  return ceiling != null && (isComplete === false || (isComplete === null && ceiling.reached !== null));
}

/** The exit code by the goal of a run, and by its ceiling. */
export function exitCodeOfRun({ results }: EvalRun): number {
  const end = results.goal?.end ?? 'decided';
  if (isCutShort(results) || end === 'futile' || end === 'ceiling') return exitCodes.infrastructure;
  return end === 'refuted' ? exitCodes.belowThreshold : exitCodes.ok;
}

const notJudged =
  'No sample has a reward. Return { reward: number } from the agent, or judge with --reward reward.ts; "art rescore" judges what is written down.\n';
