import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { endpointOption, journalOption } from './journal-options.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art runs                                     the runs of .art/runs, here or in a folder above
  $ art runs --journal s3://my-bucket            those that are recorded in a bucket
  $ art runs --json | jq -r 'select(.state == "open") | .runId'

TOTAL and DONE count payloads, or groups; OK and FAILED rollouts, retries among them; OPEN sessions that have not been seen
to end, for which AgentCore may still bill. STATE is "finished", "held" (a process works on it) or "open": resume or stop it.
Exit codes: 0 listed; 2 wrong usage; 3 the journal, or one of its runs, cannot be read.`;

function declared() {
  return new Command('runs')
    .summary('list the runs that a journal knows')
    .description(
      'Lists the runs of a journal, the oldest first: how far they are, who holds them, what is still open.',
    )
    .addOption(journalOption())
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a run', false)
    .addHelpText('after', examples);
}

export type RunsOptions = OptionsOf<typeof declared>;

/** `art runs`: how it is written. What it does is in `runs/run-runs.ts`. */
export function runsCommand(run: (options: RunsOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(run);
}
