import type { LocalAgent } from '../local-agent.ts';
import type { Session } from './session.ts';

/** What may be done to a session on purpose. */
export interface SessionHazards {
  /** How long after its start the program of a new session is to be killed; undefined to let it live. Asked once. */
  killAtStart(agent: LocalAgent, sessionId: string): number | undefined;
  /** Whether the runtime is not to hear the ping that it is about to send. */
  losesPing(session: Session): boolean;
}
