import type { LocalSessionInfo } from '@art/local';
import type { DevEvent } from './dev-event.ts';

export interface SessionChanges {
  started: Extract<DevEvent, { event: 'session_started' }>[];
  /** Waits of pings that are over, by an answer or the end of the session. */
  waited: Extract<DevEvent, { event: 'ping_waited' }>[];
  ended: Extract<DevEvent, { event: 'session_ended' }>[];
}

interface Told {
  started: boolean;
  ended: boolean;
  waits: number;
}

/** Tells from snapshots of the sessions which have started and ended since the last one, and which kept their pings waiting. */
export class SessionObserver {
  /** A session id may live several times, one after another. */
  #known = new Map<string, Told>();

  observe(sessions: readonly LocalSessionInfo[]): SessionChanges {
    const changes: SessionChanges = { started: [], waited: [], ended: [] };
    const known = new Map<string, Told>();
    for (const session of sessions) {
      const life = `${session.agent} ${session.sessionId} ${session.createdAt}`;
      const before = this.#known.get(life) ?? { started: false, ended: false, waits: 0 };
      // Undefined for a session whose process never became healthy.
      const started = session.startMs !== undefined;
      const ended = session.state === 'ended';
      if (started && !before.started) changes.started.push(startedEvent(session));
      if (ended && !before.ended) changes.ended.push(endedEvent(session));
      const wait = session.lastPingWait;
      const isNews = wait !== undefined && wait.seq > before.waits && (wait.over || ended);
      if (isNews) changes.waited.push(waitedEvent(session, wait.waitedMs));
      known.set(life, { started, ended, waits: isNews ? wait.seq : before.waits });
    }
    this.#known = known;
    return changes;
  }
}

function startedEvent({ sessionId, pid, startMs, warm }: LocalSessionInfo): SessionChanges['started'][0] {
  return { event: 'session_started', sessionId, pid, startMs, warm };
}

function waitedEvent({ sessionId }: LocalSessionInfo, waitedMs: number): SessionChanges['waited'][0] {
  return { event: 'ping_waited', sessionId, waitedMs };
}

function endedEvent({ sessionId, endReason, exit }: LocalSessionInfo): SessionChanges['ended'][0] {
  return { event: 'session_ended', sessionId, reason: endReason ?? 'exited', exit };
}
