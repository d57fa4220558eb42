import { describe, expect, it } from 'vitest';
import type { AgentProcess } from '../process/start-agent-process.ts';
import { nextSessionState, type SessionEvent, type SessionState } from './session-state.ts';

const agent = {} as AgentProcess;
const exit = { code: 1, signal: null };

function run(...events: SessionEvent[]): SessionState {
  return events.reduce<SessionState>(nextSessionState, { kind: 'starting' });
}

describe('nextSessionState', () => {
  it('goes from starting over ready and stopping to ended, and keeps the first reason', () => {
    expect(run({ kind: 'healthy', agent })).toEqual({ kind: 'ready', agent });
    const stopping = run(
      { kind: 'healthy', agent },
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
    expect(run({ kind: 'healthy', agent }, { kind: 'gone', exit })).toEqual({
      kind: 'ended',
      reason: 'exited',
      exit,
    });
  });

  it('does not come back to life', () => {
    const stopping = run({ kind: 'end', reason: 'stopped' });
    expect(nextSessionState(stopping, { kind: 'healthy', agent })).toBe(stopping);
    expect(nextSessionState(stopping, { kind: 'start_failed' })).toBe(stopping);
    const ended = run({ kind: 'start_failed' });
    expect(ended).toEqual({ kind: 'ended', reason: 'start_failed' });
    for (const event of [
      { kind: 'healthy', agent },
      { kind: 'end', reason: 'idle' },
      { kind: 'gone' },
    ] as const) {
      expect(nextSessionState(ended, event)).toBe(ended);
    }
  });
});
