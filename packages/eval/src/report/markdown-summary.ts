import type { ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { ThresholdCheck } from '../results/thresholds.ts';
import { apartText, figure, formatCost, formatEstimate, formatMs, methodNames } from './format-figures.ts';

/** The figures of a run as Markdown, for a step summary of GitHub or a comment. What tasks are called is shown as it is, never as markup. */
export function markdownSummary(
  run: RunRecord,
  results: ResultsRecord,
  checks: readonly ThresholdCheck[] = [],
): string {
  const { mean, samples, latencyMs, tokens, cost } = results;
  const rows: [string, string][] = [
    ['tasks × samples', `${results.tasks} × ${run.samples}, ${samples.scored} judged`],
    ['outcomes', outcomesText(results.outcomes)],
    ...(mean === null
      ? []
      : [['mean reward', `${formatEstimate(mean)} (${methodNames[mean.method]})`] as [string, string]]),
    ...results.passAt.map((estimate): [string, string] => [`pass@${estimate.k}`, formatEstimate(estimate)]),
    ...results.passPower.flatMap((estimate): [string, string][] =>
      estimate.k === 1 ? [] : [[`pass^${estimate.k}`, formatEstimate(estimate)]],
    ),
    ...(latencyMs === null
      ? []
      : [
          ['latency', `median ${formatMs(latencyMs.median)}, p95 ${formatMs(latencyMs.p95)}`] as [
            string,
            string,
          ],
        ]),
    ...(tokens === null
      ? []
      : [['tokens', `${tokens.prompt} in, ${tokens.completion} out`] as [string, string]]),
    ...(cost === null ? [] : [['cost', formatCost(cost.total)] as [string, string]]),
  ];
  const apart = apartText(results);
  return [
    `## Evaluation of ${cell(run.name ?? run.agent)}`,
    ...(apart === undefined ? [] : [`> ${results.apart.isTrusted ? 'Note' : 'Warning'}: ${cell(apart)}`]),
    table(['', ''], rows),
    ...(checks.length === 0
      ? []
      : [
          table(
            ['threshold', 'wanted', 'got', ''],
            checks.map(({ name, wanted, estimate, isReached }) => [
              name,
              `≥ ${wanted}`,
              estimate === null ? 'not judged' : formatEstimate(estimate),
              isReached ? 'reached' : 'not reached',
            ]),
          ),
        ]),
    ...(results.byTag.length === 0
      ? []
      : [
          table(
            ['tag', 'tasks', 'mean reward'],
            results.byTag.map(({ tag, tasks, mean: ofTag }) => [
              tag,
              String(tasks),
              ofTag === null ? 'not judged' : formatEstimate(ofTag),
            ]),
          ),
        ]),
    ...(results.worst.length === 0
      ? []
      : [
          table(
            ['worst tasks', 'mean', 'scores'],
            results.worst.map(({ taskId, mean: ofTask, scores }) => [
              taskId,
              figure(ofTask),
              scores.map((score) => String(Math.round(score * 1_000) / 1_000)).join(', '),
            ]),
          ),
        ]),
    `Intervals are of 95 %. Run \`${results.runId}\`, seed ${results.seed}.`,
    '',
  ].join('\n\n');
}

/** `38 ok, 2 agent_error` */
export function outcomesText(outcomes: ResultsRecord['outcomes']): string {
  return Object.entries(outcomes)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(titles), `|${titles.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** A text that others chose, as text: no markup, no mention, no other line. */
function cell(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\s\u0000-\u001f]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .slice(0, 500);
}
