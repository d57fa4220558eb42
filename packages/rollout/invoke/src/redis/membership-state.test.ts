import { expect, it } from 'vitest';
import { nextMembershipState, presenceMs, type MembershipState } from './membership-state.ts';

const rules = { processes: 3, presumeDeadAfterMs: 60_000 };
const alone: MembershipState = { kind: 'alone' };
const joining: MembershipState = { kind: 'joining', sinceMs: 1_000 };
const shared: MembershipState = { kind: 'shared' };
const answered = (present: number, vanished = 0) => ({ kind: 'answered', present, vanished }) as const;

it('tells the first connection from a return', () => {
  const connecting: MembershipState = { kind: 'connecting' };
  expect(nextMembershipState(connecting, answered(1), rules, 1_000)).toEqual(joining);
  expect(nextMembershipState(connecting, { kind: 'lost' }, rules, 0)).toEqual(alone);
});

it('keeps to its own share until everybody asks Redis', () => {
  expect(nextMembershipState(alone, answered(3), rules, 1_000)).toEqual(joining);
  expect(nextMembershipState(joining, answered(2), rules, 50_000)).toBe(joining);
  expect(nextMembershipState(joining, answered(3), rules, 1_000 + presenceMs)).toEqual(shared);
});

it('does not take presence from before the break for a return', () => {
  expect(nextMembershipState(joining, answered(3), rules, 1_000 + presenceMs - 1)).toBe(joining);
});

it('leaves its share to a process that vanished, until that is presumed dead', () => {
  const back = nextMembershipState(shared, answered(2, 1), rules, 1_000);
  expect(back).toEqual(joining);
  expect(nextMembershipState(back, answered(2, 1), rules, 60_999)).toBe(back);
  expect(nextMembershipState(back, answered(2, 0), rules, 61_000)).toEqual(shared);
});

it('does not wait for a process that said goodbye', () => {
  expect(nextMembershipState(shared, answered(2, 0), rules, 1_000)).toBe(shared);
});

it('is alone when Redis is lost', () => {
  for (const state of [joining, shared])
    expect(nextMembershipState(state, { kind: 'lost' }, rules, 0)).toEqual(alone);
  expect(nextMembershipState(alone, { kind: 'lost' }, rules, 0)).toBe(alone);
});
