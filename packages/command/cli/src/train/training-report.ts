import { type Comparison, formatCost, markdownCell, markdownTable } from '@art/eval';
import type { TrainingStep } from '@art/train';
import { comparisonMarkdown, verdictOf } from '../eval/comparison-verdict.ts';
import { knownFigure } from './known-figure.ts';
import type { Exported } from './train-export.ts';

/** A training run, as its folder tells of it. */
export interface ReportedTraining {
  name: string;
  /** In their order, one or more. */
  steps: readonly TrainingStep[];
  best: Exported | undefined;
  /** The base model against the best weights on the held-out tasks, where both were measured. */
  comparison: Comparison | undefined;
  /** Folders of evaluations that a comparison needs and that are gone. */
  lost: readonly string[];
}

/** More points than these are no curve for people. */
const mostPoints = 60;

/** The run as Markdown: figures, curve, measured versions, costs. What was not measured is named so. */
export function trainingReport({ name, steps, best, comparison, lost }: ReportedTraining): string {
  const last = steps.at(-1)!;
  const sum = (of: (step: TrainingStep) => number): number =>
    steps.reduce((total, step) => total + of(step), 0);
  const { promptTokens, sampledTokens, trainedTokens, money } = last.spent;
  const versions = steps.flatMap(({ evaluations }) => evaluations);
  return `${[
    `# Training run ${name}`,
    markdownTable({
      columns: [{ title: '' }, { title: '' }],
      rows: [
        ['steps', `${last.step}. ${last.end?.message ?? 'The run has not ended.'}`],
        ['reward of the first ten steps', knownFigure(steps.slice(0, 10).at(-1)!.rewardOfTen)],
        ['reward of the last ten steps', knownFigure(last.rewardOfTen)],
        [
          'rollouts',
          `${count(sum(({ rollouts }) => rollouts))} have a reward, ${count(sum(({ withoutRows }) => withoutRows))} gave nothing to train on`,
        ],
        [
          'tokens',
          `${count(promptTokens)} of prompts, ${count(sampledTokens)} sampled, ${count(trainedTokens)} trained`,
        ],
        ['spent', money === undefined ? 'unknown: the run had no prices' : formatCost(money)],
        [
          'time',
          `${minutes(sum(({ rolloutMs }) => rolloutMs))} waiting for rollouts, ${minutes(sum(({ trainMs }) => trainMs))} in steps`,
        ],
        ['weights', best === undefined ? 'none saved' : `version ${best.step}: ${best.weights}`],
      ],
    }),
    '## Reward',
    curve(steps),
    '## Held-out tasks',
    versions.length === 0
      ? 'No version was measured.'
      : markdownTable({
          columns: [{ title: 'version' }, { title: 'score' }, { title: 'tasks' }, { title: '' }],
          rows: versions.map(({ step, score, tasks, isBest }) => [
            String(step),
            knownFigure(score),
            String(tasks ?? ''),
            isBest ? 'best so far' : '',
          ]),
        }),
    ...lost.map(
      (folder) => `Not compared: expected an evaluation in ${markdownCell(folder)}, got no folder.`,
    ),
    ...(comparison === undefined || best?.evaluations == null
      ? []
      : [
          // A heading of this page is above those of the comparison.
          comparisonMarkdown(comparison, verdictOf(comparison, {}), {
            baseline: 'the base model',
            candidate: `version ${best.step}`,
          }).replace(/^## /, '### '),
        ]),
  ]
    .join('\n\n')
    .trimEnd()}\n`;
}

/** The mean of ten steps as a chart that GitHub and GitLab draw. */
function curve(steps: readonly TrainingStep[]): string {
  const known = steps.filter(({ rewardOfTen }) => rewardOfTen !== undefined);
  if (known.length < 2) return 'Fewer than two steps have a reward.';
  const points = Array.from({ length: Math.min(mostPoints, known.length) }, (_, at, all = known.length) =>
    known[Math.round((at * (all - 1)) / (Math.min(mostPoints, all) - 1))]!.rewardOfTen!.toFixed(3),
  );
  return [
    '```mermaid',
    'xychart-beta',
    `  x-axis "step" ${known[0]!.step} --> ${known.at(-1)!.step}`,
    '  y-axis "mean reward of ten steps"',
    `  line [${points.join(', ')}]`,
    '```',
  ].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function minutes(durationMs: number): string {
  return `${(durationMs / 60_000).toFixed(1)} min`;
}
