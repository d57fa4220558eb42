import { backgroundClock, type Clock } from '@art/ground';
import { openSessions, RunLog, type OpenSession, type RolloutJournal } from '@art/journal';
import type { AgentRuntime, CallOptions } from '@art/protocol';
import { rolloutCancelled } from '../lifecycle/outcome-of-failure.ts';
import { SessionStops } from '../lifecycle/session-stops.ts';

/** Options of `stopRun`. */
export interface StopRunOptions extends CallOptions {
  /** The runtime of the sessions. */
  runtime: AgentRuntime;
  /**
   * Stop the sessions of a run that another process holds, too. That process takes them for lost, and may start others: end
   * it first if you can. Nothing is recorded then. @default false
   */
  evenIfHeld?: boolean | undefined;
  /** How long to wait while no stop ends, in milliseconds. @default 30_000 */
  stopTimeoutMs?: number | undefined;
  /** Called with sessions that could not be stopped. @default process.emitWarning */
  onWarning?: ((message: string) => void) | undefined;
  /** Called with each session. */
  onStopped?: ((session: OpenSession, result: 'stopped' | 'not_found' | 'failed') => void) | undefined;
  /** Time, for tests. @default the system's */
  clock?: Clock | undefined;
}

/** How many sessions were stopped, had ended by themselves, and could not be stopped. */
export interface StopRunReport {
  stopped: number;
  notFound: number;
  failed: number;
}

/**
 * Stops every session that a run has and that has not been seen to end, and records it. The run can be resumed: what was
 * stopped runs again in new sessions.
 * @throws ArtError `ART_JOURNAL_NOT_FOUND`, `ART_JOURNAL_LOCKED`, `ART_JOURNAL_CORRUPT`
 */
export async function stopRun(
  journal: RolloutJournal,
  runId: string,
  options: StopRunOptions,
): Promise<StopRunReport> {
  const { signal, evenIfHeld = false, clock = backgroundClock } = options;
  const held = evenIfHeld ? await journal.heldBy(runId, { signal }) : undefined;
  if (held !== undefined && held.state !== 'dead')
    return stopAll(await openSessions(journal, runId, { signal }), options, undefined);
  const runLog = await RunLog.open(journal, runId, { clock, signal });
  try {
    return await stopAll(runLog.history.openSessions(), options, runLog);
  } finally {
    await runLog.close();
  }
}

async function stopAll(
  sessions: readonly OpenSession[],
  options: StopRunOptions,
  runLog: RunLog | undefined,
): Promise<StopRunReport> {
  const { runtime, clock = backgroundClock, stopTimeoutMs = 30_000 } = options;
  const warn = options.onWarning ?? ((message: string): void => process.emitWarning(message, 'ArtWarning'));
  const report: StopRunReport = { stopped: 0, notFound: 0, failed: 0 };
  const stops = new SessionStops({ runtime, clock, stopTimeoutMs, warn });
  await stops.stopEach(sessions, (session, result) => {
    report[result === 'not_found' ? 'notFound' : result] += 1;
    const rollout = runLog?.rollout(session.rollout);
    // Called off, so that a resume begins it anew instead of waiting for a session that is gone.
    if (!session.isSettled && result !== 'failed')
      rollout?.settled({ kind: 'cancelled', error: rolloutCancelled(undefined) }, true);
    rollout?.stopped(result);
    options.onStopped?.(session, result);
  });
  await stops.close(Number.NEGATIVE_INFINITY);
  return report;
}
