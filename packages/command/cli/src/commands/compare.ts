import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compareRuns, type Comparison, type Difference, figure, formatP, type TaskChange } from '@art/eval';
import { refuseData } from '@art/ground';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { numberArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { baselinesOption } from '../arguments/shared-options.ts';
import { misuseOfAgent } from '../eval/agent-options.ts';
import { Baselines } from '../eval/baselines.ts';
import { cellsCommand } from '../eval/matrix-options.ts';
import { signed } from '../eval/format-difference.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  comparisonMarkdown,
  type ComparisonVerdict,
  goalRemark,
  verdictOf,
} from '../eval/comparison-verdict.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { runMatrix } from './matrix.ts';
import { firstRows } from '../terminal/first-rows.ts';
import { formatTable, right } from '../terminal/format-table.ts';
import { cutLine } from '../terminal/cut-line.ts';

const examples = `
Examples:
  $ art compare .art/evals/before .art/evals/after
  $ art compare after before --baseline before --fail-on-regression
  $ art compare .art/evals/after --baseline main --max-drop 0.02 \\
      --markdown comment.md
      beside the run that "art eval --save-as main" has kept
  $ art compare .art/evals/after --baseline main \\
      --baselines s3://my-bucket/baselines
  $ art compare old.ts new.ts --tasks tasks.jsonl --until "difference > 0"
      two agents that have not run: as "art matrix" with --until does

Tasks are paired by their ids; those that only one run has are left out. A
run is worse where the whole 95 % interval of the difference lies below 0,
which is where p is below 0.05. Each task counts once, however many samples
it has.
--max-drop 0.02 asks for the proof that the other run is worse by no more
than 0.02: the whole interval has to lie above -0.02.
Exit codes: 0 compared; 1 worse, with --fail-on-regression, or not shown to
be within --max-drop; 2 wrong usage; 3
the comparison cannot be relied on: a run is not finished, or has too many
excluded samples, or both mean other tasks by the same ids, or have none in
common, or were judged by different judges, or the tasks of one were chosen
by the results of the other (--failed-only).`;

function declared() {
  return cellsCommand('compare', [
    // Of the same type, which follows from the dots.
    '[run-or-agent...]' as '[agent...]',
    'two runs, each a folder or the name of a kept one, the baseline first; with --until two agents',
  ])
    .description(
      'Says by how much one run of "art eval" is better than another, with an interval, and on which tasks. With --until it runs two agents side by side until that is known.',
    )
    .option('--baseline <run>', 'which of both is the baseline (default: the first)', filledArgument)
    .addOption(baselinesOption())
    .option(
      '--max-drop <reward>',
      'exit with 1 unless the interval shows that the mean falls by no more',
      numberArgument({ min: 0, max: 1e9, whole: false }),
    )
    .option('--fail-on-regression', 'exit with 1 where the other one is worse', false)
    .addHelpText('after', examples);
}

const ofRuns = [
  'baseline',
  'baselines',
  'endpoint',
  'maxDrop',
  'markdown',
  'failOnRegression',
  'json',
] as const;

export type CompareOptions = Pick<OptionsOf<typeof declared>, (typeof ofRuns)[number]> & {
  first: string;
  second: string | undefined;
};

/** The command line of `art compare`. */
export function compareCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runCompare);
  const runAgents = bind(runMatrix);
  return declared().action(async (words, flags, command) => {
    const areAgents = flags.until !== undefined || flags.resume !== undefined;
    const onlyRuns = ['maxDrop', 'failOnRegression', 'baselines'];
    const misplaced = command.options.find((option) => {
      const name = option.attributeName();
      if (command.getOptionValueSource(name as never) !== 'cli') return false;
      return areAgents ? onlyRuns.includes(name) : ![...ofRuns, 'otel'].includes(name);
    });
    if (misplaced !== undefined)
      command.error(
        `error: Expected ${areAgents ? 'two runs' : 'two agents, with --until,'} beside ${misplaced.long}.`,
      );
    if (areAgents) {
      const wrong = misuseOfAgent(words, { ...flags, modelId: undefined });
      if (wrong !== undefined) command.error(`error: ${wrong}`);
      return runAgents({ ...flags, agent: words });
    }
    const [first, second, ...others] = words;
    if (first === undefined || others.length > 0 || (second === undefined && flags.baseline === undefined))
      return command.error('error: Expected two runs, or one and --baseline with the name of a kept one.');
    await run({ ...flags, first, second });
  });
}

/** `art compare`. @returns the exit code */
export async function runCompare(options: CompareOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  await using kept = await Baselines.open(options, context);
  const { baseline, candidate } = await chosenRuns(options, kept);
  const comparison = await compareRuns({ baseline, candidate });
  const verdict = verdictOf(comparison, options);
  const shown = { baseline: shownPath(cwd, baseline), candidate: shownPath(cwd, candidate) };
  if (options.markdown !== undefined)
    await writeFile(resolve(cwd, options.markdown), comparisonMarkdown(comparison, verdict, shown));
  eventWriter<Comparison & { withinDrop: boolean | null }>(context, options.json, (told) =>
    formatComparison(told, verdict, shown),
  )({ ...comparison, withinDrop: verdict.isWithinDrop });
  if (comparison.doubts.length > 0) return exitCodes.infrastructure;
  const hasFailed =
    verdict.isWithinDrop === false || (options.failOnRegression && comparison.direction === 'worse');
  return hasFailed ? exitCodes.belowThreshold : exitCodes.ok;
}

async function chosenRuns(
  { first, second, baseline }: CompareOptions,
  kept: Baselines,
): Promise<{ baseline: string; candidate: string }> {
  const [one, two] = [await kept.folderOf(first), await kept.folderOf(second ?? baseline!)];
  const chosen = baseline === undefined ? one : await kept.folderOf(baseline);
  if (chosen !== one && chosen !== two) refuseData('--baseline to be one of both runs', baseline!);
  return { baseline: chosen, candidate: chosen === one ? two : one };
}

const testNames: Record<Difference['test'], string> = {
  mcnemar: 'exact McNemar test',
  t: 't test over tasks',
  sign: 'sign test: all tasks differ alike',
};

function formatComparison(
  comparison: Comparison,
  verdict: ComparisonVerdict,
  { baseline, candidate }: { baseline: string; candidate: string },
): string {
  const { difference, better, worse, unchanged, onlyBaseline, onlyCandidate } = comparison;
  const doubts = comparison.doubts.map(({ message }) => `${message}\n`);
  if (difference === null) return doubts.join('');
  const { pValue, test, tasks, detectable } = difference;
  const lines = [
    formatTable(
      ['figure', 'value'],
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
  if (comparison.metrics.length > 0)
    lines.push(
      formatTable(
        ['metric', 'mean difference', right('p'), right('tasks')],
        comparison.metrics.map(({ name, difference: of }) => [
          cutLine(name),
          withInterval(of),
          formatP(of.pValue),
          String(of.tasks),
        ]),
      ),
    );
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
  const remark = goalRemark(comparison);
  if (remark !== undefined) lines.push(`${remark}\n`);
  if (doubts.length === 0) lines.push(`${verdict.text}\n`);
  else lines.push(`These figures cannot be relied on.\n${doubts.join('')}`);
  return lines.join('\n');
}

function formatChanges(title: string, changes: readonly TaskChange[]): string {
  const first = firstRows(title, changes, (task) => [
    task.taskId,
    figure(task.baseline),
    figure(task.candidate),
    signed(task.change),
  ]);
  return formatTable([first.title, right('baseline'), right('candidate'), right('change')], first.rows);
}

function withInterval({ value, low, high }: Difference): string {
  return `${signed(value)}${Number.isFinite(low) ? ` [${signed(low)}, ${signed(high)}]` : ''}`;
}
