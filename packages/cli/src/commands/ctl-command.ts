import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { countArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';

const examples = `
Examples:
  $ art ctl status
  $ art ctl pause                  nothing new is started; what runs is finished
  $ art ctl resume
  $ art ctl concurrency 50
  $ art ctl stop --run .art/evals/20260131-120000-3f9a1c     as Ctrl-C there

Exit codes: 0 done; 2 wrong usage; 3 no process works on the run.`;

function declared() {
  return new Command('ctl')
    .summary('pause, resume, slow down or stop an evaluation that runs')
    .description('Tells a running "art eval" what to do, from another terminal.')
    .addArgument(
      new Argument('<command>', 'what it is to do').choices([
        'status',
        'pause',
        'resume',
        'concurrency',
        'stop',
      ] as const),
    )
    .argument('[count]', 'sessions at once, for "concurrency"', countArgument(10_000))
    .option('--run <dir>', 'folder of the run (default: the newest of .art/evals that runs)', filledArgument)
    .option('--json', 'write how far it is as one JSON object', false)
    .addHelpText('after', examples);
}

export interface CtlOptions {
  command: 'status' | 'pause' | 'resume' | 'concurrency' | 'stop';
  /** Sessions at once, for `concurrency`. */
  value: number | undefined;
  folder: string | undefined;
  json: boolean;
}

/** `art ctl`: how it is written. What it does is in `eval/run-ctl.ts`. */
export function ctlCommand(run: (options: CtlOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(async (name, value, { run: folder, json }, command) => {
    if ((name === 'concurrency') !== (value !== undefined))
      command.error(
        name === 'concurrency'
          ? 'error: Expected a number of sessions, such as "art ctl concurrency 50".'
          : `error: Expected nothing behind "${name}".`,
      );
    await run({ command: name, value, folder, json });
  });
}
