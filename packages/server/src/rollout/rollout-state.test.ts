import { describe, expect, it } from 'vitest';
import { nextRolloutState, type RolloutEvent, type RolloutState } from './rollout-state.ts';

const start: RolloutEvent = { kind: 'start' };
const finish: RolloutEvent = { kind: 'finish' };
const abandon: RolloutEvent = { kind: 'abandon' };
const settle: RolloutEvent = { kind: 'settle', stored: { kind: 'stored' } };

function follow(...events: RolloutEvent[]): RolloutState {
  return events.reduce(nextRolloutState, { kind: 'accepted' });
}

describe('nextRolloutState', () => {
  it.each([
    [[start], { kind: 'running' }],
    [[start, finish], { kind: 'saving' }],
    [[start, finish, settle], { kind: 'settled', stored: { kind: 'stored' } }],
    [[abandon], { kind: 'abandoned' }],
    [[abandon, start], { kind: 'abandoned' }],
    [[start, abandon], { kind: 'abandoned' }],
  ])('%j leads to %j', (events, state) => {
    expect(follow(...events)).toEqual(state);
  });

  it.each([[[finish]], [[start, start]], [[start, finish, abandon]], [[start, settle]], [[abandon, finish]]])(
    'refuses %j',
    (events) => {
      expect(() => follow(...events)).toThrow(/cannot/);
    },
  );
});
