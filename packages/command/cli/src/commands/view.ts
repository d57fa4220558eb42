import { resolve } from 'node:path';
import { exportView, serveView } from '@art/view';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { portArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { interruptible, untilAborted } from '../terminal/interrupts.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { printableText } from '../terminal/printable-text.ts';

const examples = `
Examples:
  $ art view
      the runs in .art/evals, the newest first
  $ art view .art/evals/20261120-093000 --open
      one run, also while it continues, in the browser
  $ art view before after
      two runs, and what differs between them
  $ art view matrix .art/audits
      the table of "art matrix" with its runs, and audits of rewards
  $ art view .art/learn-20261120               the curves of a training run
  $ art view RUN --export report.html
      one file that opens without a server, for CI

The page asks nothing of any other machine, and answers on 127.0.0.1 only.
What agents and models wrote is shown as text.
Exit codes: 0 ended by Ctrl-C or a signal, or written; 2 wrong usage, or no
run there; 3 the port is taken, or the file cannot be written.`;

function declared() {
  return new Command('view')
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

/** The command line of `art view`. */
export function viewCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runView);
  return declared().action((folders, flags) => run({ ...flags, folders }));
}

/** Where "art eval" puts runs that were given no folder. */
const evaluations = '.art/evals';

/** Events of `art view`, with `--json` an object a line. */
type ViewEvent =
  | { event: 'ready'; url: string; runs: string[] }
  | { event: 'exported'; file: string; bytes: number }
  | { event: 'stopped' };

/**
 * `art view`: serves the page until it is told to end, or writes it into a file.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION` where there is no run, `ART_PORT_TAKEN`, `ART_VIEW_EXPORT_FAILED`
 */
export function runView(options: ViewOptions, context: CliContext): Promise<number> {
  const { cwd, stderr, env } = context;
  const { port, open, json } = options;
  const tell = eventWriter<ViewEvent>(context, json, describeEvent);
  const given = options.folders.length > 0 ? options.folders : [evaluations];
  const folders = given.map((folder) => resolve(cwd, folder));
  return interruptible(context, async ({ signal }) => {
    if (options.export !== undefined) {
      const file = resolve(cwd, options.export);
      const { bytes } = await exportView({ folders, file, signal });
      tell({ event: 'exported', file, bytes });
      return exitCodes.ok;
    }
    await using view = await serveView({ folders, port });
    tell({ event: 'ready', url: view.url, runs: view.runs.map(({ folder }) => folder) });
    const trouble = open ? await openBrowser(view.url, env) : undefined;
    if (trouble !== undefined) stderr.write(`No browser was opened: ${printableText(trouble)}\n`);
    await untilAborted(signal);
    tell({ event: 'stopped' });
    return exitCodes.ok;
  });
}

function describeEvent(event: ViewEvent): string {
  switch (event.event) {
    case 'ready': {
      const count = event.runs.length;
      return `${count === 1 ? 'The run is' : `${count} runs are`} at ${event.url}\nCtrl-C ends.\n`;
    }
    case 'exported':
      return `${event.file}: ${formatBytes(event.bytes)}. It opens in a browser without a server.\n`;
    case 'stopped':
      return '';
  }
}
