import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { compareRuns } from '@art/eval';
import { isJsonObject, readJsonLines, refuseOption } from '@art/ground';
import type { TrainingStep } from '@art/train';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { bestWeights } from '../train/train-export.ts';
import { trainingReport } from '../train/training-report.ts';

const examples = `
Examples:
  $ art report .art/train/agent
  $ art report .art/train/agent --out results.md

The report has the rewards at the beginning and at the end, their curve
(GitHub draws it), each measured version, the comparison of the best weights
with the base model task by task, tokens, money and time. What the run did
not measure is named so. A run that continues can be reported as well.
Exit codes: 0 written; 2 wrong usage, or no run there.`;

function declared() {
  return new Command('report')
    .description('Writes what a training run has brought, as Markdown.')
    .argument('<run>', 'folder of a run of "art train"', filledArgument)
    .option('--out <file>', 'write it there instead of to stdout', filledArgument)
    .addHelpText('after', examples);
}

export type ReportOptions = OptionsOf<typeof declared> & { run: string };

/** The command line of `art report`. */
export function reportCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runReport);
  return declared().action((folder, flags) => run({ ...flags, run: folder }));
}

/** `art report`. @returns the exit code @throws ArtError `ART_INVALID_OPTION` where there is no run */
export async function runReport({ run, out }: ReportOptions, context: CliContext): Promise<number> {
  const folder = resolve(context.cwd, run);
  const byStep = new Map<number, TrainingStep>();
  for await (const { value } of readJsonLines(join(folder, 'metrics.jsonl')))
    // A step that was made again, after its process was killed, counts as it was the last time.
    if (isStep(value)) byStep.set(value.step, value);
  const steps = [...byStep.values()].toSorted((one, other) => one.step - other.step);
  if (steps.length === 0) refuseOption('run', 'the folder of a run of "art train" that has made a step', run);
  const best = bestWeights(folder);
  const { base, tuned } = best?.evaluations ?? {};
  const isMeasured = base !== undefined && tuned !== undefined && base !== tuned;
  const lost = isMeasured ? [base, tuned].filter((one) => !existsSync(one)) : [];
  const comparison =
    isMeasured && lost.length === 0 ? await compareRuns({ baseline: base, candidate: tuned }) : undefined;
  const text = trainingReport({ name: basename(folder), steps, best, comparison, lost });
  if (out === undefined) context.stdout.write(text);
  else await writeFile(resolve(context.cwd, out), text);
  return exitCodes.ok;
}

function isStep(value: unknown): value is TrainingStep {
  return isJsonObject(value) && typeof value['step'] === 'number' && isJsonObject(value['spent']);
}
