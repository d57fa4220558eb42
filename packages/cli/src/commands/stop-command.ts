import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { filledArgument, runArgument } from '../arguments/text-argument.ts';
import { endpointOption, journalOption } from './journal-options.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art stop step-17 --dry-run           which sessions may still live?
  $ art stop step-17
  $ art stop --all                       those of every run of the journal
  $ art stop --all --journal s3://my-bucket --json

AgentCore has no list of sessions: a session whose id is lost lives, and bills, until it times out. The journal has the ids.
A run can be resumed afterwards; what was stopped then runs again in new sessions. A run that a process works on is refused:
end that process, or add --force.
Exit codes: 0 every session is gone; 2 wrong usage; 3 one may still live, or the run is held or unknown.`;

function declared() {
  return new Command('stop')
    .summary('stop every session that a run has left')
    .description('Stops every session that the journal knows and has not seen end, and records it.')
    .argument('[run]', 'its id, as "art runs" prints it', runArgument)
    .option('--all', 'all runs of the journal', false)
    .option('--dry-run', 'only tell what would be stopped', false)
    .option('--force', 'also the sessions of a run that a process works on', false)
    .addOption(journalOption())
    .option('--arn <arn>', 'runtime on AgentCore (default: that of the run)', filledArgument)
    .option('--qualifier <name>', 'endpoint of the runtime (default: DEFAULT)', filledArgument)
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a session', false)
    .addHelpText('after', examples);
}

/** Without a run all of the journal are meant. */
export type StopOptions = Omit<OptionsOf<typeof declared>, 'all'> & {
  run: string | undefined;
};

/** `art stop`: how it is written. What it does is in `runs/run-stop.ts`. */
export function stopCommand(run: (options: StopOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(async (id, { all, ...flags }, command) => {
    if (all === (id !== undefined)) command.error('error: Expected a run or --all, and not both.');
    await run({ ...flags, run: id });
  });
}
