import type { LocalSessionInfo } from '@art/local';
import { describe, expect, it } from 'vitest';
import { SessionObserver } from './session-observer.ts';

function session(init: Partial<LocalSessionInfo> & Pick<LocalSessionInfo, 'state'>): LocalSessionInfo {
  return {
    agent: 'agent',
    sessionId: 'one',
    createdAt: '2026-01-01T00:00:00.000Z',
    requests: 0,
    activeRequests: 0,
    pings: 0,
    busy: false,
    ...init,
  };
}

describe('SessionObserver', () => {
  it('tells of each start and each end once', () => {
    const observer = new SessionObserver();
    const ready = session({ state: 'ready', pid: 7, startMs: 80, warm: false });
    const ended = session({ ...ready, state: 'ended', endReason: 'stopped' });
    expect(observer.observe([session({ state: 'starting' })])).toEqual({
      started: [],
      waited: [],
      ended: [],
    });
    expect(observer.observe([ready]).started).toEqual([
      { event: 'session_started', sessionId: 'one', pid: 7, startMs: 80, warm: false },
    ]);
    expect(observer.observe([ready])).toEqual({ started: [], waited: [], ended: [] });
    expect(observer.observe([{ ...ready, state: 'stopping' }])).toEqual({
      started: [],
      waited: [],
      ended: [],
    });
    expect(observer.observe([ended]).ended).toEqual([
      { event: 'session_ended', sessionId: 'one', reason: 'stopped', exit: undefined },
    ]);
    expect(observer.observe([ended])).toEqual({ started: [], waited: [], ended: [] });
  });

  it('tells once of pings that had to wait, when they have been answered or the session has ended', () => {
    const observer = new SessionObserver();
    const waiting = (seq: number, waitedMs: number, over: boolean): LocalSessionInfo =>
      session({ state: 'ready', lastPingWait: { seq, waitedMs, over } });
    expect(observer.observe([waiting(1, 2_000, false)]).waited).toEqual([]);
    expect(observer.observe([waiting(1, 4_500, true)]).waited).toEqual([
      { event: 'ping_waited', sessionId: 'one', waitedMs: 4_500 },
    ]);
    expect(observer.observe([waiting(1, 4_500, true)]).waited).toEqual([]);
    expect(observer.observe([{ ...waiting(2, 9_000, false), state: 'ended' }]).waited).toEqual([
      { event: 'ping_waited', sessionId: 'one', waitedMs: 9_000 },
    ]);
  });

  it('tells of a session that came and went between two looks', () => {
    const changes = new SessionObserver().observe([
      session({ state: 'ended', startMs: 5, endReason: 'exited', exit: 'exited with code 1' }),
    ]);
    expect(changes.started).toHaveLength(1);
    expect(changes.ended).toMatchObject([{ reason: 'exited', exit: 'exited with code 1' }]);
  });

  it('has no start of a session that never became healthy', () => {
    const changes = new SessionObserver().observe([session({ state: 'ended', endReason: 'start_failed' })]);
    expect(changes).toMatchObject({ started: [], ended: [{ reason: 'start_failed' }] });
  });

  it('knows the second life of an id from the first', () => {
    const observer = new SessionObserver();
    const first = session({ state: 'ended', startMs: 1, endReason: 'stopped' });
    observer.observe([first]);
    const second = session({ state: 'ready', startMs: 2, createdAt: '2026-01-01T00:00:01.000Z' });
    expect(observer.observe([second, first])).toMatchObject({ started: [{ startMs: 2 }], ended: [] });
  });
});
