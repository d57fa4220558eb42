import { resolve } from 'node:path';
import { compareRuns, type Comparison, type Difference, figure, type TaskChange } from '@art/eval';
import { ArtError } from '@art/ground';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatTable } from '../terminal/format-table.ts';

const examples = `
Examples:
  $ art compare .art/evals/before .art/evals/after
  $ art compare after before --baseline before --fail-on-regression

Tasks are paired by their ids; those that only one run has are left out. A
run is worse where the whole 95 % interval of the difference lies below 0,
which is where p is below 0.05. Each task counts once, however many samples
it has.
Exit codes: 0 compared; 1 worse, with --fail-on-regression; 2 wrong usage; 3
the comparison cannot be relied on: a run is not finished, or has too many
excluded samples, or both mean other tasks by the same ids, or have none in
common, or were judged by different judges, or the tasks of one were chosen
by the results of the other (--failed-only).`;

function declared() {
  return new Command('compare')
    .description(
      'Says by how much one run of "art eval" is better than another, with an interval, and on which tasks.',
    )
    .argument('<first>', 'folder of a run, the baseline', filledArgument)
    .argument('<second>', 'folder of another one', filledArgument)
    .option('--baseline <dir>', 'which of both is the baseline (default: the first)', filledArgument)
    .option('--fail-on-regression', 'exit with 1 where the other one is worse', false)
    .option('--json', 'write the comparison as one JSON object', false)
    .addHelpText('after', examples);
}

export type CompareOptions = OptionsOf<typeof declared> & {
  first: string;
  second: string;
};

/** The command line of `art compare`. */
export function compareCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runCompare);
  return declared().action((first, second, flags) => run({ ...flags, first, second }));
}

const mostShown = 10;

/** `art compare`. @returns the exit code */
export async function runCompare(options: CompareOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  const [first, second] = [resolve(cwd, options.first), resolve(cwd, options.second)];
  const baseline = resolve(cwd, options.baseline ?? options.first);
  if (baseline !== first && baseline !== second) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `Expected --baseline to be one of both runs, got ${options.baseline}.`,
    });
  }
  const candidate = baseline === first ? second : first;
  const comparison = await compareRuns({ baseline, candidate });
  eventWriter<Comparison>(context, options.json, (told) =>
    formatComparison(told, shownPath(cwd, baseline), shownPath(cwd, candidate)),
  )(comparison);
  if (comparison.doubts.length > 0) return exitCodes.infrastructure;
  return options.failOnRegression && comparison.direction === 'worse'
    ? exitCodes.belowThreshold
    : exitCodes.ok;
}

const testNames: Record<Difference['test'], string> = {
  mcnemar: 'exact McNemar test',
  t: 't test over tasks',
  sign: 'sign test: all tasks differ alike',
};

const directions: Record<Comparison['direction'], string> = {
  better: 'better: the whole interval lies above 0',
  worse: 'worse: the whole interval lies below 0',
  unclear: 'not clearly better or worse: 0 is in the interval',
};

function formatComparison(comparison: Comparison, baseline: string, candidate: string): string {
  const { difference, better, worse, unchanged, onlyBaseline, onlyCandidate } = comparison;
  const doubts = comparison.doubts.map(({ message }) => `${message}\n`);
  if (difference === null) return doubts.join('');
  const { pValue, test, tasks, detectable } = difference;
  const lines = [
    formatTable(
      [{ title: 'figure' }, { title: 'value' }],
      [
        ['baseline', baseline],
        ['candidate', candidate],
        ['mean difference', `${withInterval(difference)}, 95 % over tasks`],
        ['p', `${formatP(pValue)} (${testNames[test]})`],
        ['tasks', `${tasks} in both: ${better.length} better, ${worse.length} worse, ${unchanged} unchanged`],
        ...(detectable === null
          ? []
          : [['power', `${tasks} tasks show a difference of ${figure(detectable)} with a chance of 80 %`]]),
      ],
    ),
  ];
  if (comparison.metrics.length > 0) lines.push(formatMetrics(comparison.metrics));
  for (const [title, changes] of [
    ['worse', worse],
    ['better', better],
  ] as const)
    if (changes.length > 0) lines.push(formatChanges(title, changes));
  const left = onlyBaseline.length + onlyCandidate.length;
  if (left > 0)
    lines.push(
      `${left} tasks have judged samples in one of both only (${onlyBaseline.length} in the baseline) and are left out.\n`,
    );
  if (doubts.length === 0) lines.push(`The candidate is ${directions[comparison.direction]}.\n`);
  else lines.push(`These figures cannot be relied on.\n${doubts.join('')}`);
  return lines.join('\n');
}

function formatChanges(title: string, changes: readonly TaskChange[]): string {
  return formatTable(
    [
      { title: changes.length > mostShown ? `${title} (${mostShown} of ${changes.length})` : title },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'change', align: 'right' },
    ],
    changes
      .slice(0, mostShown)
      .map((task) => [
        task.taskId.replaceAll(/\s+/g, ' ').slice(0, 60),
        figure(task.baseline),
        figure(task.candidate),
        signed(task.change),
      ]),
  );
}

function formatMetrics(metrics: Comparison['metrics']): string {
  return formatTable(
    [
      { title: 'metric' },
      { title: 'mean difference' },
      { title: 'p', align: 'right' },
      { title: 'tasks', align: 'right' },
    ],
    metrics.map(({ name, difference }) => [
      name.replaceAll(/\s+/g, ' ').slice(0, 60),
      withInterval(difference),
      formatP(difference.pValue),
      String(difference.tasks),
    ]),
  );
}

function withInterval({ value, low, high }: Difference): string {
  return `${signed(value)}${Number.isFinite(low) ? ` [${signed(low)}, ${signed(high)}]` : ''}`;
}

function formatP(pValue: number): string {
  return pValue < 0.0001 ? '< 0.0001' : pValue.toFixed(4);
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}
