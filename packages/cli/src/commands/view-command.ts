import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { portArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art view                                   the runs in .art/evals, the newest first
  $ art view .art/evals/20261120-093000 --open one run, also while it goes on, in the browser
  $ art view before after                      two runs, and what differs between them
  $ art view .art/learn-20261120               the curves of a training run
  $ art view RUN --export report.html          one file that opens without a server, for CI

The page asks nothing of any other machine, and answers on 127.0.0.1 only. What agents and models wrote is shown as text.
Exit codes: 0 ended by Ctrl-C or a signal, or written; 2 wrong usage, or no run there; 3 the port is taken, or the file cannot
be written.`;

function declared() {
  return new Command('view')
    .summary('show runs in a page: progress, transcripts, comparison')
    .description(
      'Serves a page on loopback that shows evaluations and training runs: progress and rewards as they come, every session over ' +
        'time, every transcript with its tokens, two runs side by side.',
    )
    .argument(
      '[folders...]',
      'folders of runs, folders of such folders, or .jsonl files of groups (default: .art/evals)',
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', portArgument, 0)
    .option('--open', 'open it in the browser', false)
    .option('--export <file>', 'write one HTML file instead of serving', filledArgument)
    .option('--json', 'write one JSON event a line', false)
    .addHelpText('after', examples);
}

export type ViewOptions = OptionsOf<typeof declared> & { folders: string[] };

/** `art view`: how it is written. What it does is in `view/run-view.ts`. */
export function viewCommand(run: (options: ViewOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((folders, flags) => run({ ...flags, folders }));
}
