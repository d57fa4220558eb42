import { describe, expect, it } from 'vitest';
import { nextRolloutState, type RolloutEvent, type RolloutState, sessionStateOf } from './rollout-state.ts';

const start: RolloutEvent = { kind: 'start' };
const decide: RolloutEvent = { kind: 'decide' };
const hold: RolloutEvent = { kind: 'hold' };
const settle: RolloutEvent = { kind: 'settle', stored: { kind: 'stored' } };

function follow(...events: RolloutEvent[]): RolloutState {
  return events.reduce(nextRolloutState, { kind: 'accepted' });
}

describe('nextRolloutState', () => {
  it.each([
    [[], { kind: 'accepted' }, 'running'],
    [[start], { kind: 'running' }, 'running'],
    [[start, decide], { kind: 'saving' }, 'saving'],
    [[decide], { kind: 'saving' }, 'saving'],
    [[start, decide, hold], { kind: 'unsaved' }, 'unsaved'],
    [[start, decide, settle], { kind: 'settled', stored: { kind: 'stored' } }, 'stored'],
    [[start, decide, hold, settle], { kind: 'settled', stored: { kind: 'stored' } }, 'stored'],
  ] as const)('%j leads to %j, which is told as %s', (events, state, told) => {
    expect(follow(...events)).toEqual(state);
    expect(sessionStateOf(follow(...events))).toBe(told);
  });

  it.each([
    [[hold]],
    [[start, start]],
    [[decide, start]],
    [[start, decide, decide]],
    [[start, settle]],
    [[start, decide, settle, hold]],
  ])('refuses %j', (events) => {
    expect(() => follow(...events)).toThrow(/cannot/);
  });

  it('tells of a rollout that was given up that it is not stored', () => {
    expect(sessionStateOf({ kind: 'settled', stored: { kind: 'unsaved' } })).toBe('unsaved');
  });
});
