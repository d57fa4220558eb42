import { ArtError } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { groupRules } from '../groups/group-form.ts';
import type { GroupOptions } from '../groups/group-options.ts';
import type { FailureCause } from './failure-policy.ts';
import { advanceItem, newMember, pastMember, type ItemState, type ItemTransition } from './item-state.ts';

const error = new ArtError({ code: 'ART_ROLLOUT_LOST', message: 'x' });

const rewarded = (member: number, reward = 1, attempt = 0): ItemTransition => ({
  type: 'ended',
  member,
  attempt,
  verdict: { kind: 'kept', reward },
  mayRetry: true,
  isRecalled: false,
});
const failed = (
  member: number,
  cause: FailureCause = 'lost',
  attempt = 0,
  more: { mayRetry?: boolean; isRecalled?: boolean } = {},
): ItemTransition => ({
  type: 'ended',
  member,
  attempt,
  verdict: { kind: 'failed', cause, error },
  mayRetry: true,
  isRecalled: false,
  ...more,
});
const slow = (member: number): ItemTransition => ({ type: 'slow', member });

const rulesOf = (options: Partial<GroupOptions>) =>
  groupRules({ rolloutsPerInput: 3, maxConcurrentSessions: 1, ...options });
function run(options: Partial<GroupOptions>, ...transitions: ItemTransition[]): ItemState {
  const rules = rulesOf(options);
  return transitions.reduce<ItemState>(
    (state, transition) => advanceItem(state, transition, rules),
    Array.from({ length: rules.size }, () => newMember),
  );
}
const phases = (state: ItemState): string[] => state.map((member) => member.phase);

describe('advanceItem', () => {
  it('is settled when every member has a reward', () => {
    const state = run({}, rewarded(2), rewarded(0));
    expect(phases(state)).toEqual(['kept', 'open', 'kept']);
    expect(phases(advanceItem(state, rewarded(1), rulesOf({})))).toEqual(['kept', 'kept', 'kept']);
  });

  it('keeps the first reward of a member', () => {
    expect(run({}, rewarded(0, 5), rewarded(0, 7), failed(0))[0]).toEqual({
      phase: 'kept',
      attempt: 0,
      reward: 5,
    });
  });

  it('tries again as often as allowed, then gives the member up', () => {
    const options = { retry: { lost: 2 }, fallback: { lost: 'drop' } } as const;
    const lost = (attempt: number): ItemTransition => failed(0, 'lost', attempt);
    expect(run(options, lost(0))[0]).toMatchObject({ phase: 'open', granted: 2, ended: 1 });
    expect(run(options, lost(0), lost(1))[0]).toMatchObject({ phase: 'open', granted: 3, ended: 2 });
    expect(run(options, lost(0), lost(1), lost(2))[0]).toEqual({
      phase: 'failed',
      attempt: 2,
      cause: 'lost',
      error,
      fallback: 'drop',
    });
  });

  it('counts each cause by itself', () => {
    const options = { retry: { lost: 1, timeout: 1 } };
    const both = [failed(0, 'lost'), failed(0, 'timeout', 1)];
    expect(run(options, ...both)[0]).toMatchObject({ phase: 'open', granted: 3 });
    expect(run(options, ...both, failed(0, 'lost', 2))[0]).toMatchObject({ phase: 'failed', cause: 'lost' });
  });

  it('tries what the machines broke again, and nothing else, unless told otherwise', () => {
    for (const cause of ['lost', 'infra_error', 'throttled'] as const)
      expect(run({}, failed(0, cause))[0]).toMatchObject({ phase: 'open', granted: 2 });
    for (const cause of [
      'timeout',
      'agent_error',
      'no_reward',
      'rejected',
      'invalid_result',
      'cancelled',
    ] as const)
      expect(run({}, failed(0, cause))[0]).toMatchObject({ phase: 'failed', cause, fallback: 'mask' });
  });

  it('does not try again what cannot succeed', () => {
    expect(run({}, failed(0, 'lost', 0, { mayRetry: false }))[0]).toMatchObject({ phase: 'failed' });
  });

  it('makes another attempt for one that a resume called off, whatever the policy says', () => {
    const recalled = failed(0, 'cancelled', 0, { isRecalled: true });
    expect(run({}, recalled)[0]).toMatchObject({ phase: 'open', granted: 2, ended: 1 });
    const past = [pastMember(3, ['lost', 'lost']), newMember, newMember];
    expect(advanceItem(past, failed(0, 'lost', 2), rulesOf({}))[0]).toMatchObject({ phase: 'failed' });
    expect(advanceItem(past, recalled, rulesOf({}))[0]).toMatchObject({ phase: 'open', granted: 4 });
  });

  it('gives an agent error its reward where there is one', () => {
    const options = { fallback: { agent_error: { reward: -1 } } };
    expect(run(options, failed(0, 'agent_error'))[0]).toEqual({ phase: 'kept', attempt: 0, reward: -1 });
    expect(run(options, failed(0, 'no_reward'))[0]).toMatchObject({ phase: 'failed' });
  });

  it('stops what is left as soon as enough is kept', () => {
    const options = { rolloutsPerInput: 4, keepFirst: 2 };
    expect(phases(run(options, rewarded(3), rewarded(1)))).toEqual(['surplus', 'kept', 'surplus', 'kept']);
  });

  it('lets spare members make up for failed ones before it tries again', () => {
    const options = { rolloutsPerInput: 4, keepFirst: 3 };
    expect(phases(run(options, failed(0)))).toEqual(['failed', 'open', 'open', 'open']);
    expect(run(options, failed(0), failed(1))[1]).toMatchObject({ phase: 'open', granted: 2 });
  });

  it('stops what is left as soon as the smallest size of use is out of reach', () => {
    const options = { rolloutsPerInput: 4, minGroupSize: 3 };
    expect(phases(run(options, failed(0, 'timeout')))).toEqual(['failed', 'open', 'open', 'open']);
    expect(phases(run(options, failed(0, 'timeout'), failed(1, 'timeout')))).toEqual([
      'failed',
      'failed',
      'surplus',
      'surplus',
    ]);
  });

  it('hedges a slow member, and gives it up only when every attempt has failed', () => {
    const options = { hedge: { afterMs: 1, attempts: 1 }, retry: { lost: 0 } };
    expect(run(options, slow(0))[0]).toMatchObject({ phase: 'open', granted: 2, hedges: 1 });
    expect(run(options, slow(0), slow(0))[0]).toMatchObject({ granted: 2, hedges: 1 });
    expect(run(options, slow(0), failed(0))[0]).toMatchObject({ phase: 'open', ended: 1 });
    expect(run(options, slow(0), failed(0), failed(0, 'timeout', 1))[0]).toMatchObject({
      phase: 'failed',
      attempt: 1,
      cause: 'timeout',
    });
    expect(run(options, slow(0), rewarded(0, 2, 1))[0]).toMatchObject({ phase: 'kept', attempt: 1 });
  });

  it('does not hedge unless told to', () => {
    expect(run({}, slow(0))).toEqual([newMember, newMember, newMember]);
  });

  it('can be closed with what there is', () => {
    expect(phases(run({}, rewarded(1), { type: 'closed' }))).toEqual(['surplus', 'kept', 'surplus']);
  });
});
