import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type MinedTasks, mineTasks } from '@art/eval';
import { refuseOption, stringifyJson } from '@art/ground';
import {
  Argument,
  Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
} from '@commander-js/extra-typings';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';

const examples = `
Examples:
  $ art tasks from .art/evals/20260131-120000-3f9a1c --out tasks.jsonl
  $ art tasks from results.jsonl --out tasks.jsonl --held-out 20%
      also writes tasks.held-out.jsonl
  $ art tasks from spans.json --out tasks.jsonl

Each input that agents were given becomes a task, once. Inputs are equal
where only white space and the order of members tell them apart. Fields and
texts that seem to be secret are removed, and counted: look at the tasks
before you share them.
Of OpenTelemetry's spans (OTLP as JSON, also a line for each batch) the
earliest gen_ai.input.messages of each trace is the input: {"prompt"}, and
"messages" of a longer conversation. Recording these texts is opt-in.
A task's id is a digest of its input, and decides whether it is held out: it
stays there when more is recorded. Only tasks of "art eval" have an
"expected" answer.
Exit codes: 0 tasks were written; 2 wrong usage; 3 nothing has an input.`;

function declared() {
  return new Command('tasks')
    .description('Writes a file of tasks from what was recorded: rollouts, or spans of production.')
    .addArgument(new Argument('<from>', 'the word "from"').choices(['from'] as const))
    .argument('<recorded>', 'a recorded run, or a file of spans', filledArgument)
    .requiredOption('--out <file>', 'a new file', filledArgument)
    .option(
      '--held-out <share>',
      'share of the tasks for a second file, such as 0.2 or 20%, to measure by at the end (default: none)',
      shareArgument,
    )
    .addHelpText('after', examples);
}

export type TasksOptions = OptionsOf<typeof declared> & { recorded: string };

/** The command line of `art tasks`. */
export function tasksCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runTasks);
  return declared().action((_from, recorded, flags) => run({ ...flags, recorded }));
}

/** `art tasks from`. @returns the exit code */
export async function runTasks(
  { recorded, out, heldOut }: TasksOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, stderr } = context;
  if (extname(out) !== '.jsonl') refuseOption('--out', 'a file that ends with .jsonl', out);
  const mined = await mineTasks(resolve(cwd, recorded), heldOut);
  stderr.write(formatMined(mined));
  if (mined.inputs === 0) return exitCodes.infrastructure;
  const path = resolve(cwd, out);
  if (heldOut !== undefined) await write(path.replace(/\.jsonl$/, '.held-out.jsonl'), mined.heldOut);
  await write(path, mined.tasks);
  return exitCodes.ok;
}

async function write(path: string, tasks: MinedTasks['tasks']): Promise<void> {
  const lines = tasks.map((task) => `${stringifyJson(task)}\n`).join('');
  await writeFile(path, lines, { flag: 'wx', mode: 0o600 }).catch((cause: Error) =>
    refuseOption('--out', `a new file that can be written (${cause.message})`, path, { cause }),
  );
}

function formatMined({ tasks, heldOut, inputs, repeated, withoutInput, secrets }: MinedTasks): string {
  const removed = Object.entries(secrets).map(([name, count]) => `${name} ${count}`);
  return [
    `Inputs: ${inputs}. Tasks: ${tasks.length}, and ${heldOut.length} held out.\n`,
    ...(repeated > 0 ? [`  the same input as one before: ${repeated}\n`] : []),
    ...(withoutInput > 0 ? [`  without an input on record: ${withoutInput}\n`] : []),
    ...(removed.length > 0 ? [`  removed, as they seem to be secret: ${removed.join(', ')}\n`] : []),
  ].join('');
}

function shareArgument(text: string): number {
  const value = /^\d*\.?\d+%?$/.test(text)
    ? Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1)
    : Number.NaN;
  if (value > 0 && value < 1) return value;
  throw new InvalidArgumentError(`Expected a share such as 0.2 or 20%, got ${JSON.stringify(text)}.`);
}
