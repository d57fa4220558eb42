import type { ProcessExit } from '../process/guarded-process.ts';
import type { SessionEndReason } from '../service/endpoint-log.ts';

/** Where a session is on its way. */
export type SessionState =
  | { kind: 'starting' }
  | { kind: 'ready' }
  | { kind: 'stopping'; reason: SessionEndReason }
  | { kind: 'ended'; reason: SessionEndReason; exit?: ProcessExit | undefined };

export type SessionEvent =
  | { kind: 'healthy' }
  | { kind: 'start_failed' }
  | { kind: 'end'; reason: SessionEndReason }
  | { kind: 'gone'; exit?: ProcessExit | undefined };

/** The only place where a session changes state. An event that comes too late changes nothing. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  switch (event.kind) {
    case 'healthy':
      return state.kind === 'starting' ? { kind: 'ready' } : state;
    case 'start_failed':
      return state.kind === 'starting' ? { kind: 'ended', reason: 'start_failed' } : state;
    case 'end':
      return isRunning(state) ? { kind: 'stopping', reason: event.reason } : state;
    case 'gone':
      if (state.kind === 'ended') return state;
      return {
        kind: 'ended',
        reason: state.kind === 'stopping' ? state.reason : 'exited',
        exit: event.exit,
      };
  }
}

/** True if a session has a process or waits for one, and has not begun to end. */
export function isRunning({ kind }: SessionState): boolean {
  return kind === 'starting' || kind === 'ready';
}

/** Error of calls that wait for a session that is ending; it never leaves the package. */
export class SessionEndedError extends Error {
  readonly reason: SessionEndReason;

  constructor(sessionId: string, reason: SessionEndReason) {
    super(`The session ${sessionId} ended: ${reason}.`);
    this.name = 'SessionEndedError';
    this.reason = reason;
  }
}
