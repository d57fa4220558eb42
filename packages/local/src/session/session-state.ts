import type { ProcessExit } from '../process/guarded-process.ts';
import type { AgentProcess } from '../process/start-agent-process.ts';
import type { SessionEndReason } from '../service/endpoint-log.ts';

/** Where a session is on its way. */
export type SessionState =
  | { kind: 'starting' }
  | { kind: 'ready'; agent: AgentProcess }
  | { kind: 'stopping'; reason: SessionEndReason }
  | { kind: 'ended'; reason: SessionEndReason; exit?: ProcessExit | undefined };

export type SessionEvent =
  | { kind: 'healthy'; agent: AgentProcess }
  | { kind: 'start_failed' }
  | { kind: 'end'; reason: SessionEndReason }
  | { kind: 'gone'; exit?: ProcessExit | undefined };

/** The only place where a session changes state. An event that comes too late changes nothing. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  switch (event.kind) {
    case 'healthy':
      return state.kind === 'starting' ? { kind: 'ready', agent: event.agent } : state;
    case 'start_failed':
      return state.kind === 'starting' ? { kind: 'ended', reason: 'start_failed' } : state;
    case 'end':
      return state.kind === 'starting' || state.kind === 'ready'
        ? { kind: 'stopping', reason: event.reason }
        : state;
    case 'gone':
      if (state.kind === 'ended') return state;
      return {
        kind: 'ended',
        reason: state.kind === 'stopping' ? state.reason : 'exited',
        exit: event.exit,
      };
  }
}

/** What waits for a session that is ending is rejected with this; it never leaves the package. */
export class SessionEndedError extends Error {
  readonly reason: SessionEndReason;

  constructor(sessionId: string, reason: SessionEndReason) {
    super(`The session ${sessionId} ended: ${reason}.`);
    this.name = 'SessionEndedError';
    this.reason = reason;
  }
}
