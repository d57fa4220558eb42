import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { askRun, type RunCommand } from '@art/eval';
import { ArtError } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';
import type { CtlOptions } from '../commands/ctl-command.ts';
import { formatStatus } from './format-status.ts';
import { shownPath } from './shown-path.ts';

/** `art ctl`. @returns the exit code */
export async function runCtl(
  { command, value, folder, json }: CtlOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, stdout } = context;
  const run = folder === undefined ? await newestLive(join(cwd, '.art', 'evals')) : resolve(cwd, folder);
  const request: RunCommand = command === 'concurrency' ? { command, value: value! } : { command };
  const status = await askRun(run, request);
  if (json) stdout.write(plainJson(status ?? {}));
  else
    stdout.write(
      printableText(`${shownPath(cwd, run)}: ${status === undefined ? 'starting' : formatStatus(status)}\n`),
    );
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
