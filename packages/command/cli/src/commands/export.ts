import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readRunRecord, readRunRollouts, recogniseRun, recordedRunKinds } from '@art/eval/records';
import { refuseOption } from '@art/ground';
import {
  exportFormats,
  type ExportProblem,
  exportRollouts,
  type ExportSummary,
  writeJsonl,
} from '@art/trajectories';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import {
  lineageOption,
  trainChoiceOf,
  trainLabelOption,
  trainModelOption,
} from '../arguments/train-choice.ts';
import type { Bind, CliContext, OutputStream } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art export .art/evals/strong-model --format openai --min-reward 1 \\
      --out warm-up.jsonl
  $ art export .art/evals/strong-model --format trl --min-reward 0.8 \\
      --out sft.jsonl
  $ art export .art/evals/tuned --format dpo --out pairs.jsonl
  $ art export .art/train/agent --format trl --min-reward 1 --out good.jsonl

A run is a folder of "art eval", or of "art train" (its rollouts.jsonl), or
a file with the lines of "art invoke --out". What "art collect" keeps has
tokens and no texts.

Formats: openai (messages; arguments of tools as text), trl (messages;
arguments as an object), prompt-completion (a line for each call of the
model, as it was asked; for models that reason), dpo (the best answer to a
task against the worst), atif (trajectories 1.7 for Harbor and NeMo Gym),
sharegpt (LLaMA-Factory), bedrock (texts without tools), spans (of
OpenTelemetry, for AgentCore Evaluations).
Rollouts that failed, were cut off or broke off, and those below
--min-reward are left out, and counted on stderr by their reason.
Exit codes: 0 lines were written; 2 wrong usage; 3 no rollout fits; 130
Ctrl-C, which leaves no file behind.`;

function declared() {
  return new Command('export')
    .description('Writes recorded rollouts as data to fine-tune a model on, a JSON object a line.')
    .argument('<run>', 'where rollouts were recorded; see below', filledArgument)
    .addOption(
      new Option('--format <format>', 'format of the lines').choices(exportFormats).makeOptionMandatory(),
    )
    .option(
      '--min-reward <reward>',
      'least reward of a rollout that is exported; needed for every format but dpo, atif and spans',
      numberArgument({ min: -Number.MAX_VALUE, whole: false }),
    )
    .option(
      '--min-margin <reward>',
      'dpo: by how much the better answer has to be better (default: more than 0)',
      numberArgument({ min: Number.MIN_VALUE, whole: false }),
    )
    .addOption(
      new Option(
        '--arguments <style>',
        'arguments of tool calls (default: object; openai: text). DeepSeek V3 needs text',
      ).choices(['object', 'text'] as const),
    )
    .addOption(trainModelOption())
    .addOption(trainLabelOption())
    .addOption(lineageOption())
    .option('--out <file>', 'a new file (default: stdout)', filledArgument)
    .addHelpText('after', examples);
}

export type ExportCommandOptions = OptionsOf<typeof declared> & { run: string };

/** The command line of `art export`. */
export function exportCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runExport);
  return declared().action((recorded, flags) => run({ ...flags, run: recorded }));
}

/** `art export`. @returns the exit code */
export function runExport(options: ExportCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const found = await recogniseRun(resolve(context.cwd, options.run));
    const run = found ?? refuseOption('run', recordedRunKinds, options.run);
    const progress = new ProgressLine(context.stderr);
    const rollouts = readRunRollouts(run, (file, bytes) => progress.noteTorn(file, bytes));
    const lines = exportRollouts(rollouts, {
      format: options.format,
      minReward: options.minReward,
      minMargin: options.minMargin,
      arguments: options.arguments,
      trains: trainChoiceOf(options),
      agentName: run.kind === 'evaluation' ? (await readRunRecord(run.folder)).agent : undefined,
    });
    const { summary } = lines;
    await using out = await openLines(options.out, context);
    for await (const line of writeJsonl(lines)) {
      signal.throwIfAborted();
      await out.write(line);
      progress.show(`${summary.lines} lines of ${summary.rollouts} rollouts`);
    }
    progress.clear();
    if (summary.lines > 0) await out.keep();
    context.stderr.write(formatSummary(summary));
    return summary.lines > 0 ? exitCodes.ok : exitCodes.infrastructure;
  });
}

interface LineFile extends AsyncDisposable {
  write(line: string): Promise<void>;
  /** Without it the file is removed: half an export looks like a whole one. */
  keep(): Promise<void>;
}

async function openLines(out: string | undefined, { cwd, stdout }: CliContext): Promise<LineFile> {
  if (out === undefined) return toStream(stdout);
  const path = resolve(cwd, out);
  const file = await open(path, 'wx').catch((cause: NodeJS.ErrnoException) =>
    refuseOption(
      '--out',
      cause.code === 'EEXIST'
        ? 'a file that does not exist yet'
        : `a file that can be written (${cause.message})`,
      out,
      { cause },
    ),
  );
  let isKept = false;
  return {
    write: (line) => file.appendFile(line),
    async keep() {
      await file.sync();
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      await file.close();
      if (!isKept) await rm(path, { force: true });
    },
  };
}

function toStream(stream: OutputStream): LineFile {
  return {
    write: (line) => Promise.resolve(void stream.write(line)),
    keep: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const problems: Record<ExportProblem, string> = {
  failed: 'outcome is not ok',
  no_reward: 'no reward',
  reward_too_low: 'reward below --min-reward',
  no_calls:
    'no call of a model on record (a gateway has to see the calls: "art eval" with --base-url, "art invoke" with --gateway)',
  not_chosen: 'no call of an agent that --train-model, --train-label and --lineage choose',
  partial: 'an answer broke off',
  truncated: 'an answer was cut off at its largest length',
  media: 'images, audio or files',
  ill_formed_tool_call: 'a call of a tool without a name, or with arguments that are no JSON object',
  unknown_message: 'a message of an unknown role',
  shared_turns:
    'branches that share answers with an earlier branch (--format openai and prompt-completion keep them)',
  foreign_answers: 'answers that the model did not give (--format openai and prompt-completion keep them)',
  tool_calls: 'calls of tools, which the format does not have',
  text_beside_tool_call: 'an answer with text and with calls of tools, which the format does not have',
  order_of_messages: 'questions and answers not in turn, which the format needs',
  no_pair: 'tasks with fewer than two rollouts that have a reward',
  no_margin: 'tasks without an answer that is better than another one, by --min-margin',
  different_prompts: 'tasks whose better rollout was asked something else than the worse one',
  forked: 'tasks with a rollout of several branches',
  same_answers: 'tasks with one answer and different rewards',
};

function formatSummary({ rollouts, lines, leftOut }: ExportSummary): string {
  const reasons = Object.entries(leftOut).map(
    ([problem, count]) => `  ${problems[problem as ExportProblem]}: ${count}\n`,
  );
  return [
    `Rollouts: ${rollouts}. Lines: ${lines}.${reasons.length > 0 ? ' Left out:' : ''}\n`,
    ...reasons,
  ].join('');
}
