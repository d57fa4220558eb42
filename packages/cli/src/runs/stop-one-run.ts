import { ArtError } from '@art/protocol';
import { openSessions, type OpenSession, type RolloutJournal, type RunSummary } from '@art/journal';
import { stopRun } from '@art/rollout';
import type { CliContext } from '../cli-context.ts';
import type { createTargetRuntime } from '../connection/create-rollout-client.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { findRunTarget } from './run-target.ts';
import type { StopOptions } from '../commands/stop-command.ts';

export interface StopParts {
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
export async function stopOneRun(
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
