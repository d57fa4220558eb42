import type { SessionEndReason } from '../service/session-end-reason.ts';

/** What waits for a session that is ending is rejected with this; it never leaves the package. */
export class SessionEndedError extends Error {
  readonly reason: SessionEndReason;

  constructor(sessionId: string, reason: SessionEndReason) {
    super(`The session ${sessionId} ended: ${reason}.`);
    this.name = 'SessionEndedError';
    this.reason = reason;
  }
}
