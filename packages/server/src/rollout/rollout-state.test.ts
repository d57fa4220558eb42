import { describe, expect, it } from 'vitest';
import { nextRolloutState, type RolloutEvent, type RolloutState } from './rollout-state.ts';

const start: RolloutEvent = { kind: 'start' };
const decide: RolloutEvent = { kind: 'decide' };
const hold: RolloutEvent = { kind: 'hold' };
const settle: RolloutEvent = { kind: 'settle', stored: { kind: 'stored' } };

function follow(...events: RolloutEvent[]): RolloutState {
  return events.reduce(nextRolloutState, { kind: 'accepted' });
}

describe('nextRolloutState', () => {
  it.each([
    [[], { kind: 'accepted' }],
    [[start], { kind: 'running' }],
    [[start, decide], { kind: 'saving' }],
    [[decide], { kind: 'saving' }],
    [[start, decide, hold], { kind: 'unsaved' }],
    [[start, decide, settle], { kind: 'settled', stored: { kind: 'stored' } }],
    [[start, decide, hold, settle], { kind: 'settled', stored: { kind: 'stored' } }],
  ] as const)('%j leads to %j', (events, state) => {
    expect(follow(...events)).toEqual(state);
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
});
