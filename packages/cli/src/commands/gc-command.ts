import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { ageArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import { endpointOption, journalOption } from './journal-options.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art gc --dry-run                     what would be removed?
  $ art gc                               what is finished and a week old
  $ art gc --older-than 12h --unfinished
  $ art gc --data .results               also temporary files of this store of files

Removed are finished runs, temporary files that killed processes left behind (an hour old at least), and the .art/dev.json of
an "art dev" that died. Runs whose process has died are let go, so that other machines need not wait for it. Never removed:
results, a run that a process works on, and a run with sessions that may live, for only its journal knows their ids.
Exit codes: 0 done; 2 wrong usage; 3 the journal, or one of its runs, cannot be read.`;

function declared() {
  return new Command('gc')
    .summary('remove finished runs and what killed processes left behind')
    .description('Removes finished runs and what killed processes left behind, and tells of each.')
    .option(
      '--older-than <age>',
      'only runs that nothing happened to for so long: 7d, 12h, 30m',
      ageArgument,
      7 * 86_400_000,
    )
    .option('--unfinished', 'also runs that were never finished, where no session may live', false)
    .option('--dry-run', 'only tell what would be removed', false)
    .option('--data <dir>', 'also look through this store of files', filledArgument)
    .addOption(journalOption())
    .addOption(endpointOption())
    .option('--json', 'write one JSON object a line', false)
    .addHelpText('after', examples);
}

export type GcOptions = OptionsOf<typeof declared>;

/** `art gc`: how it is written. What it does is in `runs/run-gc.ts`. */
export function gcCommand(run: (options: GcOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(run);
}
