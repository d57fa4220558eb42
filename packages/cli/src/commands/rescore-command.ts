import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { countArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art rescore .art/evals/20260131-120000-3f9a1c --reward ./stricter.ts --out rescored
  $ art compare .art/evals/20260131-120000-3f9a1c rescored

Judges what is written down: no agent is run, and no model is called but the judge's own. The run itself stays as it is.
Exit codes: 0 judged; 2 wrong usage; 3 could not be judged; 130 Ctrl-C.`;

function declared() {
  return new Command('rescore')
    .summary('judge an evaluation again with another reward')
    .description(
      'Judges the samples of a run of "art eval" again, into a new run that can be compared with it.',
    )
    .argument('<run>', 'folder of the run', filledArgument)
    .requiredOption('--reward <file>', 'module whose default export judges', filledArgument)
    .option('--out <dir>', 'folder of the new run (default: beside the old one)', filledArgument)
    .option('--concurrency <count>', 'most samples at once (default: 16)', countArgument(10_000))
    .option('--json', 'write the figures as one JSON object', false)
    .addHelpText('after', examples);
}

export type RescoreRunOptions = OptionsOf<typeof declared> & { folder: string };

/** `art rescore`: how it is written. What it does is in `eval/run-rescore.ts`. */
export function rescoreCommand(run: (options: RescoreRunOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((folder, flags) => run({ ...flags, folder }));
}
