import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatEstimate, type JudgeDrift, type JudgeMeasure, measureJudge } from '@art/eval';
import { runPath } from '@art/eval/records';
import { refuseOption } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { columnsOption, dataOptionsOf, splitOption } from '../arguments/data-options.ts';
import { countArgument, durationArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { cacheOption } from '../arguments/shared-options.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { loadReward } from '../eval/load-reward.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { firstIds } from '../terminal/first-ids.ts';
import { firstRows } from '../terminal/first-rows.ts';
import { formatTable, right } from '../terminal/format-table.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { cutLine } from '../terminal/cut-line.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art judge .art/evals/20260131-120000-3f9a1c --labels human.jsonl
      the rewards of a run
  $ art judge .art/evals/20260131-120000-3f9a1c --labels human
      the same, by the scores that persons gave on the page of "art view"
  $ art judge .art/evals/20260131-120000-3f9a1c --labels human.jsonl \\
      --reward ./judge.ts --min-kappa 0.6 --confident
      another judge on the samples of the run
  $ art judge --labels human.csv --reward ./judge.ts \\
      --columns prompt=question,response=completion,label=rating
      labels that have the texts
  $ art judge run --drift run-rescored
      two judgings of the same samples

A label is {"id", "label"}, with the id of a sample ("task#0") or of a task
that has one; a number, true or false, "pass" or "fail", or a name. Without
a run it has the texts, "payload" (or "prompt" and the like) and "response",
or the judge's "reward" beside it. Files are read as those of "art eval
--tasks". Where labels say passed or failed, rewards from --pass-reward on
have passed; else each value is a class of its own. Cohen's kappa is that of
scikit-learn; its interval counts the samples of a task as one. A sample
that the judge did not judge is no disagreement: it is left out and counted.
Exit codes: 0 measured; 1 kappa is below --min-kappa; 2 wrong usage; 3 kappa
says nothing: no labelled sample was judged, more than a tenth was not, or
all labels are the same; 130 Ctrl-C.`;

function declared() {
  const aFigure = numberArgument({ min: -1e9, max: 1e9, whole: false });
  return new Command('judge')
    .description('Says how far a judge agrees with the labels of a person, and with itself.')
    .argument('[run]', 'a recorded run; left out where the labels have the texts', filledArgument)
    .option(
      '--labels <file>',
      'labels of samples, as JSON lines, CSV, TSV or Parquet; human: those given on the page of the run',
      filledArgument,
    )
    .option(
      '--reward <file>',
      'module whose default export judges (default: the rewards of the run)',
      filledArgument,
    )
    .option('--drift [run]', 'another judging of the same samples; without a run --reward judges twice')
    .addOption(columnsOption())
    .addOption(splitOption())
    .option(
      '--pass-reward <reward>',
      'reward and label from which a sample has passed (default: that of the run, or 1, for labels that say passed or failed)',
      aFigure,
    )
    .addOption(
      new Option('--weights <how>', 'how near misses count (default: none)').choices([
        'none',
        'linear',
        'quadratic',
      ] as const),
    )
    .option(
      '--width <width>',
      'width of the interval for which missing labels are counted (default: 0.2)',
      numberArgument({ min: 0.001, max: 2, whole: false }),
    )
    .option('--min-kappa <kappa>', 'threshold of kappa', numberArgument({ min: -1, max: 1, whole: false }))
    .option('--confident', 'compare --min-kappa with the lower end of the interval', false)
    .addOption(cacheOption())
    .option('--judge-timeout-ms <ms>', 'longest time of a judgement (default: 300000)', durationArgument)
    .option('--concurrency <count>', 'most judgements at once (default: 16)', countArgument(10_000))
    .option('--json', 'write the measure as one JSON object', false)
    .addHelpText('after', examples);
}

export type JudgeCommandOptions = OptionsOf<typeof declared> & { run: string | undefined };

/** The command line of `art judge`. */
export function judgeCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runJudge);
  return declared().action((recorded, flags) => run({ ...flags, run: recorded }));
}

/** `art judge`. @returns the exit code */
export function runJudge(options: JudgeCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { cwd } = context;
    const { labels, run, reward, drift, cache } = options;
    if (cache !== undefined && drift === true)
      refuseOption('--drift', 'a run beside --cache: a kept judgement is the same each time', true);
    const progress = new ProgressLine(context.stderr);
    await using judge =
      reward === undefined ? undefined : await loadReward(reward, cwd, options.judgeTimeoutMs, cache);
    const measure = await measureJudge({
      labels: labels === 'human' ? humanLabels(run, cwd) : labels && resolve(cwd, labels),
      data: dataOptionsOf(options),
      run: run && resolve(cwd, run),
      judge,
      drift: typeof drift === 'string' ? resolve(cwd, drift) : drift,
      passReward: options.passReward,
      weights: options.weights,
      width: options.width,
      concurrency: options.concurrency,
      signal,
      onProgress: (judged) => progress.show(`${judged} samples judged`),
    });
    progress.clear();
    eventWriter<JudgeMeasure>(context, options.json, (told) => formatMeasure(told, labels !== undefined))(
      measure,
    );
    return exitCodeOf(measure, options);
  });
}

/** The scores that persons gave on the page of a run. */
function humanLabels(run: string | undefined, cwd: string): string {
  if (run === undefined) refuseOption('--labels', 'a file, or "human" beside a run', 'human');
  const file = runPath(resolve(cwd, run), 'human');
  if (!existsSync(file))
    refuseOption('--labels', `"human" beside a run with scores of a person (${file})`, 'human', {
      advice: 'Score some samples with "art view", or name a file of labels.',
    });
  return file;
}

function exitCodeOf(measure: JudgeMeasure, { labels, minKappa, confident }: JudgeCommandOptions): number {
  const { kappa, problem, drift } = measure;
  if (labels === undefined) return drift!.samples === 0 ? exitCodes.infrastructure : exitCodes.ok;
  if (problem !== null || kappa.value === null) return exitCodes.infrastructure;
  if (minKappa === undefined) return exitCodes.ok;
  if (!isAtLeast(kappa.value, minKappa)) return exitCodes.belowThreshold;
  if (!confident) return exitCodes.ok;
  if (kappa.low === null) return exitCodes.infrastructure;
  return isAtLeast(kappa.low, minKappa) ? exitCodes.ok : exitCodes.belowThreshold;
}

function formatMeasure(measure: JudgeMeasure, hasLabels: boolean): string {
  const sections = hasLabels ? formatAgreement(measure) : [];
  if (measure.drift !== null) sections.push(...formatDrift(measure.drift));
  return sections.join('\n');
}

function formatAgreement(measure: JudgeMeasure): string[] {
  const { samples, tasks, agreement, kappa, problem, missing, passReward, disagreements } = measure;
  const { value, low, high, weights } = kappa;
  const pass = passReward === null ? '' : `; passed is ${passReward} or more`;
  const sections = [`${samples} labelled samples of ${tasks} tasks${pass}.\n`];
  if (agreement !== null) {
    const rows = [
      ['agreement', formatEstimate(agreement)],
      [
        weights === 'none' ? 'kappa' : `kappa, ${weights} weights`,
        value === null ? 'not defined' : formatEstimate({ value, low, high }),
      ],
    ];
    sections.push(formatTable(['figure', 'value, 95 % interval'], rows));
  }
  if (problem !== null) sections.push(`${problem}\n`);
  sections.push(...formatConfusion(measure));
  if (disagreements.length > 0) {
    const { title, rows } = firstRows('disagree', disagreements, ({ id, label, reward, remark }) => [
      id,
      String(label),
      String(reward),
      cutLine(remark ?? ''),
    ]);
    sections.push(formatTable([title, right('label'), right('judge'), 'remark'], rows));
  }
  if (missing !== null && missing.labels > 0)
    sections.push(`About ${missing.labels} labels more make the interval ${missing.width} wide.\n`);
  return [...sections, ...formatLeftOut(measure.leftOut)];
}

const mostCategories = 10;

function formatConfusion({ categories, confusion }: JudgeMeasure): string[] {
  if (categories.length === 0) return [];
  if (categories.length > mostCategories)
    return [
      `${categories.length} values, and each is a class: --pass-reward makes two of them, --weights counts near misses.\n`,
    ];
  const rows = confusion.map((row, at) => [String(categories[at]), ...row.map(String)]);
  return [formatTable(['label', ...categories.map((reward) => right(`judge ${reward}`))], rows)];
}

function formatLeftOut(leftOut: JudgeMeasure['leftOut']): string[] {
  const { unjudged, failed, unknown, contradictory, unlabelled, duplicates } = leftOut;
  const lists: [readonly string[], string][] = [
    [unjudged, 'the judge gave no reward'],
    [failed, 'the agent or its machine failed'],
    [unknown, 'no such sample was judged'],
    [contradictory, 'labels contradict each other'],
  ];
  const lines = lists
    .filter(([ids]) => ids.length > 0)
    .map(([ids, why]) => `  ${why}: ${ids.length} (${firstIds(ids)})`);
  if (unlabelled > 0) lines.push(`  rows without a label: ${unlabelled}`);
  if (duplicates > 0) lines.push(`  further labels of the same sample: ${duplicates}`);
  return lines.length === 0 ? [] : [`Left out:\n${lines.join('\n')}\n`];
}

function formatDrift({ samples, changed, unjudged, difference }: JudgeDrift): string[] {
  const mean = difference === null ? '' : ` The mean changed by ${formatEstimate(difference)}.`;
  const lost = unjudged === 0 ? '' : ` ${unjudged} were judged once only.`;
  const told = `Judged twice: ${samples} samples, ${changed.length} with another reward.${mean}${lost}\n`;
  if (changed.length === 0) return [told];
  const { title, rows } = firstRows('changed', changed, ({ id, first, second }) => [
    id,
    String(first),
    String(second),
  ]);
  return [told, formatTable([title, right('first'), right('second')], rows)];
}
