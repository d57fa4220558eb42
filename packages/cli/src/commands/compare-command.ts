import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art compare .art/evals/before .art/evals/after
  $ art compare after before --baseline before --fail-on-regression

Tasks are paired by their ids; those that only one run has are left out. A run is worse where the whole 95 % interval of the difference
lies below 0.
Exit codes: 0 compared; 1 worse, with --fail-on-regression; 2 wrong usage; 3 no task has judged samples in both.`;

function declared() {
  return new Command('compare')
    .summary('compare two evaluations, task by task')
    .description(
      'Says by how much one run of "art eval" is better than another, with an interval, and on which tasks.',
    )
    .argument('<first>', 'folder of a run, the baseline', filledArgument)
    .argument('<second>', 'folder of another one', filledArgument)
    .option('--baseline <dir>', 'which of both is the baseline (default: the first)', filledArgument)
    .option('--fail-on-regression', 'exit with 1 where the other one is worse', false)
    .option('--json', 'write the comparison as one JSON object', false)
    .addHelpText('after', examples);
}

export type CompareOptions = OptionsOf<typeof declared> & {
  first: string;
  second: string;
};

/** `art compare`: how it is written. What it does is in `eval/run-compare.ts`. */
export function compareCommand(run: (options: CompareOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((first, second, flags) => run({ ...flags, first, second }));
}
