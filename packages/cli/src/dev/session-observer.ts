import type { LocalSessionInfo } from '@art/local';
import type { DevEvent } from './dev-event.ts';

export interface SessionChanges {
  started: Extract<DevEvent, { event: 'session_started' }>[];
  ended: Extract<DevEvent, { event: 'session_ended' }>[];
}

/** Tells from snapshots of the sessions which have started and ended since the last one. */
export class SessionObserver {
  /** A session id may live several times, one after another. */
  #known = new Map<string, { started: boolean; ended: boolean }>();

  observe(sessions: readonly LocalSessionInfo[]): SessionChanges {
    const changes: SessionChanges = { started: [], ended: [] };
    const known = new Map<string, { started: boolean; ended: boolean }>();
    for (const session of sessions) {
      const life = `${session.agent} ${session.sessionId} ${session.createdAt}`;
      const before = this.#known.get(life) ?? { started: false, ended: false };
      // Undefined for a session whose process never became healthy.
      const started = session.startMs !== undefined;
      const ended = session.state === 'ended';
      if (started && !before.started) changes.started.push(startedEvent(session));
      if (ended && !before.ended) changes.ended.push(endedEvent(session));
      known.set(life, { started, ended });
    }
    this.#known = known;
    return changes;
  }
}

function startedEvent({ sessionId, pid, startMs, warm }: LocalSessionInfo): SessionChanges['started'][0] {
  return { event: 'session_started', sessionId, pid, startMs, warm };
}

function endedEvent({ sessionId, endReason, exit }: LocalSessionInfo): SessionChanges['ended'][0] {
  return { event: 'session_ended', sessionId, reason: endReason ?? 'exited', exit };
}
