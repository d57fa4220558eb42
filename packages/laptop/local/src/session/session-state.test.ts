import { describe, expect, it } from 'vitest';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.ts';

const exit = { code: 1, signal: null };

function run(...events: SessionEvent[]): SessionState {
  return events.reduce<SessionState>(nextSessionState, { kind: 'starting' });
}

describe('nextSessionState', () => {
  it('goes from starting over ready and stopping to ended, and keeps the first reason', () => {
    expect(run({ kind: 'healthy' })).toEqual({ kind: 'ready' });
    const stopping = run(
      { kind: 'healthy' },
      { kind: 'end', reason: 'idle' },
      { kind: 'end', reason: 'stopped' },
    );
    expect(stopping).toEqual({ kind: 'stopping', reason: 'idle' });
    expect(nextSessionState(stopping, { kind: 'gone', exit })).toEqual({
      kind: 'ended',
      reason: 'idle',
      exit,
    });
  });

  it('calls an end that nobody asked for an exit', () => {
    expect(run({ kind: 'healthy' }, { kind: 'gone', exit })).toEqual({
      kind: 'ended',
      reason: 'exited',
      exit,
    });
  });

  it('does not come back to life', () => {
    const stopping = run({ kind: 'end', reason: 'stopped' });
    expect(nextSessionState(stopping, { kind: 'healthy' })).toBe(stopping);
    expect(nextSessionState(stopping, { kind: 'start_failed' })).toBe(stopping);
    const ended = run({ kind: 'start_failed' });
    expect(ended).toEqual({ kind: 'ended', reason: 'start_failed' });
    for (const event of [{ kind: 'healthy' }, { kind: 'end', reason: 'idle' }, { kind: 'gone' }] as const) {
      expect(nextSessionState(ended, event)).toBe(ended);
    }
  });
});
