import { resolve } from 'node:path';
import { exportView, serveView } from '@art/view';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { interruptible, listenForInterrupts, untilAborted } from '../terminal/interrupts.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';
import { openBrowser } from './open-browser.ts';
import type { ViewOptions } from '../commands/view-command.ts';

/** Where "art eval" puts runs that were given no folder. */
const evaluations = '.art/evals';

/**
 * `art view`: serves the page until it is told to end, or writes it into a file.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION` where there is no run, `ART_PORT_TAKEN`, `ART_VIEW_EXPORT_FAILED`
 */
export async function runView(options: ViewOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  const folders = options.folders.length > 0 ? options.folders : [evaluations];
  const paths = folders.map((folder) => resolve(cwd, folder));
  return options.export === undefined
    ? servePage(paths, options, context)
    : writePage(paths, resolve(cwd, options.export), options, context);
}

async function writePage(
  folders: readonly string[],
  file: string,
  { json }: ViewOptions,
  context: CliContext,
): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { bytes } = await exportView({ folders, file, signal });
    context.stdout.write(
      json
        ? plainJson({ event: 'exported', file, bytes })
        : `${printableText(file)}: ${formatBytes(bytes)}. It opens in a browser without a server.\n`,
    );
    return exitCodes.ok;
  });
}

async function servePage(
  folders: readonly string[],
  { port, open, json }: ViewOptions,
  context: CliContext,
): Promise<number> {
  const { stdout, stderr } = context;
  using interrupts = listenForInterrupts(context);
  await using view = await serveView({ folders, port });
  const count = view.runs.length;
  stdout.write(
    json
      ? plainJson({ event: 'ready', url: view.url, runs: view.runs.map(({ folder }) => folder) })
      : `${count === 1 ? 'The run is' : `${count} runs are`} at ${view.url}\nCtrl-C ends.\n`,
  );
  if (open) {
    const trouble = await openBrowser(view.url, context.env);
    if (trouble !== undefined) stderr.write(`No browser was opened: ${printableText(trouble)}\n`);
  }
  await untilAborted(interrupts.signal);
  if (json) stdout.write(plainJson({ event: 'stopped' }));
  return exitCodes.ok;
}
