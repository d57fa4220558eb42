import {
  listRuns,
  type OpenSession,
  openSessions,
  readRun,
  type RolloutJournal,
  type RunSummary,
} from '@art/journal';
import { ArtError } from '@art/protocol';
import { stopRun } from '@art/rollout';
import type { CliContext } from '../cli-context.ts';
import { createTargetRuntime } from '../connection/create-rollout-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { isUsageError, reportError } from '../report-error.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { openJournal } from '../connection/open-journal.ts';
import type { StopOptions } from '../commands/stop-command.ts';
import { tellUnreadable } from './tell-unreadable.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { findRunTarget } from './run-target.ts';

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

interface StopParts {
  journal: RolloutJournal;
  options: StopOptions;
  context: CliContext;
  makeRuntime: typeof createTargetRuntime;
}

type SessionResult = 'stopped' | 'not_found' | 'failed' | 'would_stop';

const words: Record<SessionResult, string> = {
  stopped: 'stopped',
  not_found: 'had ended already',
  failed: 'could not be stopped',
  would_stop: 'would be stopped',
};

/**
 * Stops the sessions of one run and tells of each.
 * @returns `failed` where one of them may still live
 * @throws ArtError
 */
async function stopOneRun(
  run: RunSummary,
  { journal, options, context, makeRuntime }: StopParts,
  signal: AbortSignal,
): Promise<'stopped' | 'failed'> {
  const { runId } = run;
  const { stderr } = context;
  refuseHeld(run, options);
  const tell = ({ sessionId, index }: OpenSession, result: SessionResult): void =>
    void context.stdout.write(
      options.json
        ? plainJson({ runId, index, sessionId, result })
        : `${runId}  item ${index}  session ${sessionId}  ${words[result]}\n`,
    );
  if (run.openSessions === 0) {
    stderr.write(`Run ${runId}: no session that may live.\n`);
    return 'stopped';
  }
  if (options.dryRun) {
    for (const session of await openSessions(journal, runId, { signal })) tell(session, 'would_stop');
    return 'stopped';
  }
  const target = await findRunTarget(run, options, context, signal);
  const runtime = makeRuntime(target, options.qualifier);
  try {
    const { stopped, notFound, failed } = await stopRun(journal, runId, {
      runtime,
      evenIfHeld: options.force,
      signal,
      onStopped: tell,
      onWarning: (message) => void stderr.write(`${message}\n`),
    });
    const resume = run.isFinished ? '' : ` "art resume ${runId}" goes on with it.`;
    stderr.write(
      `Run ${runId}: ${stopped} stopped, ${notFound} had ended already, ${failed} could not be stopped.${resume}\n`,
    );
    return failed === 0 ? 'stopped' : 'failed';
  } finally {
    await runtime.close?.();
  }
}

/** Told before anything is looked for, and with what to do about it. */
function refuseHeld({ runId, heldBy }: RunSummary, { force, dryRun }: StopOptions): void {
  if (heldBy?.state !== 'alive' || force || dryRun) return;
  const { pid, host } = heldBy.holder;
  throw new ArtError({
    code: 'ART_JOURNAL_LOCKED',
    message: `Run ${JSON.stringify(runId)} is being worked on by process ${pid} on ${host}, which would take stopped sessions for lost and start others. End that process first (Ctrl-C stops its sessions), or add --force.`,
  });
}
