import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askRun, type ControlCommand } from '@art/eval';
import { ArtError } from '@art/ground';
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { countArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { formatStatus } from '../eval/format-status.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';

const examples = `
Examples:
  $ art ctl status
  $ art ctl pause
      starts no new sample; samples that run are finished
  $ art ctl resume
  $ art ctl concurrency 50
  $ art ctl stop --run .art/evals/20260131-120000-3f9a1c
      as Ctrl-C in its terminal

Exit codes: 0 done; 2 wrong usage; 3 no process runs the evaluation.`;

function declared() {
  return new Command('ctl')
    .description('Tells a running "art eval" what to do, from another terminal.')
    .addArgument(
      new Argument('<command>', 'what the run should do').choices([
        'status',
        'pause',
        'resume',
        'concurrency',
        'stop',
      ] as const),
    )
    .argument('[count]', 'most sessions at once, for "concurrency"', countArgument(10_000))
    .option('--run <dir>', 'folder of the run (default: the newest of .art/evals that runs)', filledArgument)
    .option('--json', 'write the status as one JSON object', false)
    .addHelpText('after', examples);
}

export type CtlOptions = OptionsOf<typeof declared> & {
  command: ControlCommand['command'];
  /** Sessions at once, for `concurrency`. */
  value: number | undefined;
};

/** The command line of `art ctl`. */
export function ctlCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runCtl);
  return declared().action(async (name, value, flags, command) => {
    if ((name === 'concurrency') !== (value !== undefined))
      command.error(
        name === 'concurrency'
          ? 'error: Expected a number of sessions, such as "art ctl concurrency 50".'
          : `error: Expected nothing behind "${name}".`,
      );
    await run({ ...flags, command: name, value });
  });
}

/** `art ctl`. @returns the exit code */
export async function runCtl(
  { command, value, json, ...options }: CtlOptions,
  context: CliContext,
): Promise<number> {
  const { cwd } = context;
  const run =
    options.run === undefined ? await newestLive(join(cwd, '.art', 'evals')) : resolve(cwd, options.run);
  const request: ControlCommand = command === 'concurrency' ? { command, value: value! } : { command };
  const status = await askRun(run, request);
  eventWriter<object>(
    context,
    json,
    () => `${shownPath(cwd, run)}: ${status === undefined ? 'starting' : formatStatus(status)}\n`,
  )(status ?? {});
  return exitCodes.ok;
}

/** @throws ArtError `ART_RUN_NOT_LIVE` */
async function newestLive(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.toSorted((first, second) => (first < second ? 1 : -1))) {
    const run = join(folder, name);
    try {
      await askRun(run, { command: 'status' });
      return run;
    } catch (error) {
      if (!ArtError.isInstance(error) || error.code !== 'ART_RUN_NOT_LIVE') throw error;
    }
  }
  throw new ArtError({
    code: 'ART_RUN_NOT_LIVE',
    message: `Expected a process that works on a run in ${folder}, found none. Name the folder of the run.`,
  });
}
