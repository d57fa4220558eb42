import { listRuns, readRun, type RolloutJournal, type RunSummary } from '@art/journal';
import type { CliContext } from '../cli-context.ts';
import { createTargetRuntime } from '../connection/create-rollout-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { isUsageError, reportError } from '../report-error.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { openJournal } from '../connection/open-journal.ts';
import type { StopOptions } from '../commands/stop-command.ts';
import { stopOneRun } from './stop-one-run.ts';
import { tellUnreadable } from './tell-unreadable.ts';

/**
 * `art stop`: stops every session that the journal knows and has not seen end.
 * @param makeRuntime what sessions run on @default the AWS SDK
 * @returns the exit code: 0 where every session is certainly gone
 * @throws ArtError where the run is unknown, is held, or its runtime cannot be found
 */
export function runStop(
  options: StopOptions,
  context: CliContext,
  makeRuntime: typeof createTargetRuntime = createTargetRuntime,
): Promise<number> {
  return interruptible(context, ({ signal }) => stopAll(options, context, makeRuntime, signal));
}

async function stopAll(
  options: StopOptions,
  context: CliContext,
  makeRuntime: typeof createTargetRuntime,
  signal: AbortSignal,
): Promise<number> {
  await using opened = await openJournal(options.journal, options.endpoint, context);
  const { journal } = opened;
  const parts = { journal, options, context, makeRuntime };
  if (options.run !== undefined) {
    const outcome = await stopOneRun(await readRun(journal, options.run, { signal }), parts, signal);
    return outcome === 'stopped' ? exitCodes.ok : exitCodes.infrastructure;
  }
  const { runs, unreadable } = await runsWithSessions(journal, context, signal);
  if (runs.length === 0) context.stderr.write(`No run in ${opened.where} has a session that may live.\n`);
  let code: number = unreadable === 0 ? exitCodes.ok : exitCodes.infrastructure;
  for (const run of runs) {
    signal.throwIfAborted();
    try {
      if ((await stopOneRun(run, parts, signal)) === 'failed') code = exitCodes.infrastructure;
    } catch (error) {
      signal.throwIfAborted();
      // One run that cannot be stopped must not keep the others alive.
      const failed = reportError(error, context, options.json);
      if (code === exitCodes.ok || isUsageError(error)) code = failed;
    }
  }
  return code;
}

async function runsWithSessions(
  journal: RolloutJournal,
  context: CliContext,
  signal: AbortSignal,
): Promise<{ runs: RunSummary[]; unreadable: number }> {
  const runs: RunSummary[] = [];
  let unreadable = 0;
  for (const run of await listRuns(journal, { signal })) {
    if ('error' in run) {
      tellUnreadable(run, context);
      unreadable += 1;
    } else if (run.openSessions > 0) runs.push(run);
  }
  return { runs, unreadable };
}
