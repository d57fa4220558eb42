import { ArtError } from '@art/ground';
import {
  buildTrajectory,
  resolveTrajectoryOptions,
  type Capture,
  type TrajectorySummary,
} from '@art/trajectories';
import type { CaptureStore } from '../store/capture-store.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionSpending } from './session-spending.ts';
import type { LiveSessions } from './live-sessions.ts';
import type { FinishedState, FinishedSession, FinishRequest } from './session-state.ts';
import { trajectoryOptions, type TrajectoryInit } from './trajectory-init.ts';

/** Dependencies of finishing. */
export interface FinishDeps {
  store: CaptureStore;
  sessions: LiveSessions;
}

/** How a session is to be finished, and how long its calls may continue. */
export interface FinishOptions extends FinishRequest {
  /** How long calls that are under way may continue. @default 5_000 */
  waitTimeoutMs?: number | undefined;
}

/** Facts of a session that are known at any time. */
export interface FinishStatus {
  init: TrajectoryInit;
  state: 'open' | 'finishing' | 'finished';
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number;
  /** Calls under way. */
  inFlight: number;
  captures: readonly Capture[];
  spending: SessionSpending | undefined;
  /** Summary of the rows that it has, or would have now. */
  summary: TrajectorySummary;
}

/** @throws ArtError `ART_GATEWAY_SESSION_UNKNOWN` */
export async function sessionStatus(deps: FinishDeps, sessionId: string): Promise<FinishStatus> {
  const session = await existing(deps, sessionId);
  const { init, createdAtMs, state, spending } = session;
  if (state.kind === 'dropped') throw sessionNotFound(sessionId);
  const captures = await deps.store.capturesOf(sessionId);
  const { summary } = buildTrajectory(captures, trajectoryOptions(init));
  return { init, state: state.kind, createdAtMs, inFlight: session.calls.total, captures, summary, spending };
}

/**
 * The rows of a finished session, or what they would be now, without a reward, where it is still open.
 * @throws ArtError `ART_GATEWAY_SESSION_UNKNOWN`, `ART_GATEWAY_SESSION_GONE`
 */
export async function sessionRows(deps: FinishDeps, sessionId: string): Promise<FinishedSession> {
  const session = await existing(deps, sessionId);
  if (session.state.kind !== 'open') return await finishSession(deps, sessionId);
  const captures = await deps.store.capturesOf(sessionId);
  const trajectory = buildTrajectory(captures, trajectoryOptions(session.init));
  const { calls, contextFull, failedCalls, abandonedCalls } = session;
  return { sessionId, unfinishedCalls: calls.total, contextFull, failedCalls, abandonedCalls, ...trajectory };
}

/**
 * Closes a session to further turns, waits for those under way, and makes its rows; any session can be finished, no matter who made
 * it. Finishing again, or at the same time, gives the same rows, whatever is asked for then: a reply that got lost loses
 * nothing, as long as the captures are there.
 * @throws ArtError `ART_INVALID_OPTION`, before anything is closed; `ART_GATEWAY_SESSION_UNKNOWN`; what the store throws, after
 * which the session is open again; `ART_GATEWAY_SESSION_GONE` finished so long ago that nothing is left of it
 */
export async function finishSession(
  deps: FinishDeps,
  sessionId: string,
  options: FinishOptions = {},
): Promise<FinishedSession> {
  const { waitTimeoutMs = 5_000, ...request } = options;
  const session = await existing(deps, sessionId);
  resolveTrajectoryOptions(trajectoryOptions(session.init, request));
  const { state } = session;
  switch (state.kind) {
    case 'dropped':
      throw sessionNotFound(sessionId);
    case 'finishing':
      return await state.result;
    case 'finished':
      return await makeAgain(deps, session, state);
    case 'open': {
      const result = close(deps, session, request, waitTimeoutMs);
      session.move({ event: 'finish', result });
      return await result;
    }
  }
}

async function existing({ sessions }: FinishDeps, sessionId: string): Promise<LiveSession> {
  const session = await sessions.find(sessionId);
  if (session === undefined) throw sessionNotFound(sessionId);
  return session;
}

async function close(
  { store, sessions }: FinishDeps,
  session: LiveSession,
  request: FinishRequest,
  waitTimeoutMs: number,
): Promise<FinishedSession> {
  const { sessionId, calls } = session;
  try {
    let unfinishedCalls = 0;
    if (!(await calls.idle(waitTimeoutMs))) {
      unfinishedCalls = calls.total;
      calls.cancelAll('finished');
    }
    const captures = await store.capturesOf(sessionId);
    const trajectory = buildTrajectory(captures, trajectoryOptions(session.init, request));
    const { contextFull, failedCalls, abandonedCalls } = session;
    const finish = {
      request,
      captureCount: captures.length,
      unfinishedCalls,
      contextFull,
      failedCalls,
      abandonedCalls,
    };
    // One that was deleted meanwhile may have been created again, under the same name.
    if (sessions.known(sessionId) === session && session.state.kind !== 'dropped') {
      await store.finishSession(sessionId, session.storedMetadata(undefined, finish));
    }
    session.move({ event: 'built', ...finish });
    return { sessionId, unfinishedCalls, contextFull, failedCalls, abandonedCalls, ...trajectory };
  } catch (error) {
    session.move({ event: 'failed' });
    throw error;
  }
}

/** Makes a finished trajectory anew, of the same captures and with the same finishing options. */
async function makeAgain(
  { store }: FinishDeps,
  { sessionId, init }: LiveSession,
  { request, captureCount, unfinishedCalls, contextFull = 0, failedCalls, abandonedCalls }: FinishedState,
): Promise<FinishedSession> {
  const captures = await store.capturesOf(sessionId);
  if (captures.length < captureCount) {
    throw new ArtError({
      code: 'ART_GATEWAY_SESSION_GONE',
      message: `The session ${JSON.stringify(sessionId)} was finished, and neither its rows nor its captures are kept any more.`,
    });
  }
  const trajectory = buildTrajectory(captures.slice(0, captureCount), trajectoryOptions(init, request));
  return { sessionId, unfinishedCalls, contextFull, failedCalls, abandonedCalls, ...trajectory };
}

function sessionNotFound(sessionId: string): ArtError {
  return new ArtError({
    code: 'ART_GATEWAY_SESSION_UNKNOWN',
    message: `The gateway knows no session ${JSON.stringify(sessionId)}, or it was dropped.`,
  });
}
