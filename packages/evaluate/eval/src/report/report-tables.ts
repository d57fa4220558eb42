import { isSameFigure } from '@art/ground/figures';
import { ceilingUnits } from '@art/protocol';
import type { CeilingResult, PassEstimate, ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { ThresholdCheck } from '../results/thresholds.ts';
import { reductionText } from '../statistics/reduce-scores.ts';
import { goalText } from './goal-text.ts';
import {
  figure,
  formatCost,
  formatEstimate,
  formatMs,
  gotText,
  methodNames,
  outcomesText,
} from './format-figures.ts';

/** Texts in rows, for a terminal or for Markdown. What stands in the first column may be what others called it. */
export interface ReportTable {
  columns: readonly { title: string; align?: 'right' | undefined }[];
  rows: readonly (readonly string[])[];
}

/** The figures of a run, and what it was to reach, as tables for a person. Those that would be empty are left out. */
export function reportTables(
  run: RunRecord,
  results: ResultsRecord,
  checks: readonly ThresholdCheck[],
): ReportTable[] {
  const tables: ReportTable[] = [
    {
      columns: [{ title: 'figure' }, { title: 'value, 95 % interval' }, { title: 'of' }],
      rows: figureRows(run, results),
    },
    {
      columns: [{ title: 'metric' }, { title: 'mean, 95 % interval' }, { title: 'of' }],
      rows: results.metrics.map((metric) => [
        metric.name,
        formatEstimate(metric),
        `${metric.samples} samples`,
      ]),
    },
    {
      columns: [{ title: 'tag' }, { title: 'tasks', align: 'right' }, { title: 'mean reward' }],
      rows: results.byTag.map(({ tag, tasks, mean }) => [tag, String(tasks), estimated(mean)]),
    },
    {
      columns: [{ title: 'worst tasks' }, { title: 'mean', align: 'right' }, { title: 'scores' }],
      rows: results.worst.map(({ taskId, mean, scores }) => [
        taskId,
        figure(mean),
        scores.map((score) => String(Math.round(score * 1_000) / 1_000)).join(' '),
      ]),
    },
    {
      columns: [{ title: 'threshold' }, { title: 'wanted', align: 'right' }, { title: 'got' }, { title: '' }],
      rows: checks.map((check) => [
        check.name,
        `>= ${check.wanted}`,
        check.estimate === null ? 'not judged' : gotText(check),
        check.isReached ? 'reached' : check.problem === null ? 'not reached' : 'not judged',
      ]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** Goal and ceiling of a run: how it has ended; undefined for a run without both. */
export function endTable({ goal, ceiling, samples, outcomes }: ResultsRecord): ReportTable | undefined {
  const rows = [
    ...(goal == null ? [] : [['goal', goal.goal, goalText(goal)]]),
    ...(ceiling == null ? [] : [ceilingRow(ceiling, samples)]),
    ...(outcomes.ceiling === undefined
      ? []
      : [['ceiling of a sample', `${outcomes.ceiling} of ${samples.recorded}`, 'ended there']]),
  ];
  const columns = [{ title: 'end' }, { title: 'wanted' }, { title: 'reached' }];
  return rows.length === 0 ? undefined : { columns, rows };
}

function figureRows(run: RunRecord, results: ResultsRecord): string[][] {
  const { mean, meanOfTasks, latencyMs, tokens, cost, samples, retried, retriedAfter, throttled } = results;
  const rows = [
    ...(results.goal == null ? [] : [['goal', results.goal.goal, goalText(results.goal)]]),
    [
      'tasks x samples',
      `${results.tasks} x ${run.samples}`,
      `${samples.scored} of ${samples.recorded} judged`,
    ],
    ...(run.reduce === undefined ? [] : [['score of a task', reductionText(run), '--reduce']]),
    ...(results.ceiling == null ? [] : [ceilingRow(results.ceiling, samples)]),
    ['outcomes', outcomesText(results.outcomes), ''],
  ];
  // The interval of a goal holds at every look, and this one does not.
  const endedEarly = results.goal != null && results.goal.end !== 'ceiling';
  if ((results.keptAnswers ?? 0) > 0)
    rows.push([
      'kept answers',
      String(results.keptAnswers),
      `of ${results.modelCalls ?? 0} calls, not asked for this run (--cache)`,
    ]);
  if ((results.keptJudgements ?? 0) > 0)
    rows.push(['kept judgements', String(results.keptJudgements), 'not made for this run (--cache)']);
  if (mean !== null)
    rows.push([
      'mean reward',
      formatEstimate(mean),
      `${boundsText(mean) ?? methodNames[mean.method]}${endedEarly ? ', as if the number of tasks had been fixed' : ''}`,
    ]);
  // Tasks with lost samples weigh less in one of both.
  if (mean !== null && meanOfTasks != null && !isSameFigure(mean.value, meanOfTasks))
    rows.push(['mean of tasks', figure(meanOfTasks), 'each task counts once, as in "art compare"']);
  for (const [name, estimates] of [
    ['pass@', results.passAt],
    // With one sample it is pass@1.
    ['pass^', results.passPower.filter(({ k }) => k > 1)],
  ] as const)
    for (const estimate of estimates)
      rows.push([
        `${name}${estimate.k}`,
        formatEstimate(estimate),
        boundsText(estimate) ?? `${estimate.tasks} tasks`,
      ]);
  if (latencyMs !== null)
    rows.push([
      'latency',
      `median ${formatMs(latencyMs.median)}`,
      `p95 ${formatMs(latencyMs.p95)}, max ${formatMs(latencyMs.max)}`,
    ]);
  if (tokens !== null)
    rows.push([
      'tokens',
      `${tokens.prompt} in`,
      `${tokens.completion} out, ${results.modelCalls ?? 0} calls`,
    ]);
  if (cost !== null)
    rows.push(['cost', formatCost(cost.total), `median ${formatCost(cost.perSample.median)} a sample`]);
  if (retried + throttled > 0) {
    const after = retried === 0 ? '' : ` (${outcomesText(retriedAfter)})`;
    rows.push(['infrastructure', `${retried} retried${after}`, `${throttled} throttled`]);
  }
  return rows;
}

function ceilingRow(
  { ceiling, spent, reached }: CeilingResult,
  { wanted, recorded }: ResultsRecord['samples'],
): string[] {
  const units = ceilingUnits.filter((unit) => ceiling[unit] !== undefined);
  const shown = units.length === 0 ? (['calls', 'tokens'] as const) : units;
  const amounts = shown.map((unit) => `${Number(spent[unit].toPrecision(4))} ${unit}`);
  const missing = wanted === null ? 'samples' : `${wanted - recorded} of ${wanted} samples`;
  return [
    'ceiling',
    units.map((unit) => `${ceiling[unit]} ${unit}`).join(', ') || 'by sample',
    `${amounts.join(', ')} spent${reached === null || wanted === recorded ? '' : `: reached, ${missing} are missing`}`,
  ];
}

function boundsText({ bounds }: PassEstimate): string | undefined {
  return bounds == null ? undefined : `${bounds.tasks} tasks have lost samples, which failed or passed`;
}

function estimated(estimate: Parameters<typeof formatEstimate>[0] | null): string {
  return estimate === null ? 'not judged' : formatEstimate(estimate);
}
