import {
  apartText,
  type EvalRun,
  figure,
  formatCost,
  formatEstimate,
  formatMs,
  methodNames,
  outcomesText,
  type ThresholdCheck,
  type Verdict,
} from '@art/eval';
import { formatTable } from '../terminal/format-table.ts';

const verdictTexts: Record<Verdict, string> = {
  passed: 'Every threshold is reached.',
  below: 'A threshold is not reached.',
  not_judged: 'The run could not be judged.',
};

/** The figures of a run for a person. */
export function formatResults(
  run: EvalRun,
  verdict: Verdict,
  checks: readonly ThresholdCheck[],
  folder: string,
): string {
  const { record, results } = run;
  const { mean, latencyMs, tokens, cost, samples } = results;
  const rows: string[][] = [
    [
      'tasks x samples',
      `${results.tasks} x ${record.samples}`,
      `${samples.scored} of ${samples.recorded} judged`,
    ],
    ['outcomes', outcomesText(results.outcomes), ''],
    ...(mean === null ? [] : [['mean reward', formatEstimate(mean), methodNames[mean.method]]]),
    ...results.passAt.map((estimate) => [
      `pass@${estimate.k}`,
      formatEstimate(estimate),
      `${estimate.tasks} tasks`,
    ]),
    ...results.passPower.flatMap((estimate) =>
      estimate.k === 1 ? [] : [[`pass^${estimate.k}`, formatEstimate(estimate), `${estimate.tasks} tasks`]],
    ),
    ...(latencyMs === null
      ? []
      : [
          [
            'latency',
            `median ${formatMs(latencyMs.median)}`,
            `p95 ${formatMs(latencyMs.p95)}, max ${formatMs(latencyMs.max)}`,
          ],
        ]),
    ...(tokens === null
      ? []
      : [['tokens', `${tokens.prompt} in`, `${tokens.completion} out, ${results.modelCalls ?? 0} calls`]]),
    ...(cost === null
      ? []
      : [['cost', formatCost(cost.total), `median ${formatCost(cost.perSample.median)} a sample`]]),
    ...(results.retried + results.throttled === 0
      ? []
      : [['surroundings', `${results.retried} retried`, `${results.throttled} throttled`]]),
  ];
  const sections = [
    formatTable([{ title: 'figure' }, { title: 'value, 95 % interval' }, { title: 'of' }], rows),
  ];
  if (results.byTag.length > 0) {
    sections.push(
      formatTable(
        [{ title: 'tag' }, { title: 'tasks', align: 'right' }, { title: 'mean reward' }],
        results.byTag.map(({ tag, tasks, mean: ofTag }) => [
          oneLine(tag),
          String(tasks),
          ofTag === null ? 'not judged' : formatEstimate(ofTag),
        ]),
      ),
    );
  }
  if (results.worst.length > 0) {
    sections.push(
      formatTable(
        [{ title: 'worst tasks' }, { title: 'mean', align: 'right' }, { title: 'scores' }],
        results.worst.map(({ taskId, mean: ofTask, scores }) => [
          oneLine(taskId),
          figure(ofTask),
          scores.map((score) => String(Math.round(score * 1_000) / 1_000)).join(' '),
        ]),
      ),
    );
  }
  if (checks.length > 0) {
    sections.push(
      formatTable(
        [{ title: 'threshold' }, { title: 'wanted', align: 'right' }, { title: 'got' }, { title: '' }],
        checks.map(({ name, wanted, estimate, isReached }) => [
          name,
          `>= ${wanted}`,
          estimate === null ? 'not judged' : formatEstimate(estimate),
          isReached ? 'reached' : 'not reached',
        ]),
      ),
    );
  }
  const apart = apartText(results);
  if (apart !== undefined) sections.push(`${apart}\n`);
  if (mean === null) sections.push(notJudged);
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
