import { ArtError } from '@art/protocol';
import { describe, expect, it } from 'vitest';
import { resolveGroupRules, type GroupOptions } from './group-options.ts';
import {
  advanceGroup,
  isSettled,
  openGroupState,
  type GroupState,
  type GroupTransition,
} from './group-state.ts';
import type { FailureCause } from './judge-outcome.ts';

const error = new ArtError({ code: 'ART_ROLLOUT_LOST', message: 'x' });

const rewarded = (member: number, reward = 1, attempt = 0): GroupTransition => ({
  type: 'judged',
  member,
  attempt,
  judgement: { kind: 'rewarded', reward },
  mayRetry: true,
});
const failed = (
  member: number,
  cause: FailureCause = 'infrastructure',
  attempt = 0,
  mayRetry = true,
): GroupTransition => ({
  type: 'judged',
  member,
  attempt,
  judgement: { kind: 'failed', cause, error },
  mayRetry,
});
const late = (member: number): GroupTransition => ({ type: 'late', member });

function run(options: Partial<GroupOptions>, ...transitions: GroupTransition[]): GroupState {
  const rules = resolveGroupRules({ rolloutsPerInput: 3, maxConcurrentSessions: 1, ...options });
  return transitions.reduce<GroupState>(
    (state, transition) => advanceGroup(state, transition, rules),
    openGroupState(rules.size),
  );
}
const phases = (state: GroupState): string[] => state.map((member) => member.phase);

describe('advanceGroup', () => {
  it('is settled when every member has a reward', () => {
    const state = run({}, rewarded(2), rewarded(0));
    expect(isSettled(state)).toBe(false);
    expect(
      isSettled(
        advanceGroup(
          state,
          rewarded(1),
          resolveGroupRules({ rolloutsPerInput: 3, maxConcurrentSessions: 1 }),
        ),
      ),
    ).toBe(true);
  });

  it('keeps the first reward of a member', () => {
    expect(run({}, rewarded(0, 5), rewarded(0, 7), failed(0))[0]).toEqual({
      phase: 'kept',
      attempt: 0,
      reward: 5,
    });
  });

  it('tries again as often as allowed, then gives the member up', () => {
    const policy = { infrastructure: { retries: 2, fallback: 'drop' as const } };
    expect(run({ policy }, failed(0))[0]).toMatchObject({ phase: 'open', granted: 2, retries: 1 });
    expect(run({ policy }, failed(0), failed(0, 'infrastructure', 1))[0]).toMatchObject({
      phase: 'open',
      granted: 3,
      retries: 2,
    });
    expect(
      run({ policy }, failed(0), failed(0, 'infrastructure', 1), failed(0, 'infrastructure', 2))[0],
    ).toEqual({ phase: 'failed', attempt: 2, cause: 'infrastructure', error, fallback: 'drop' });
  });

  it('tries what the machines broke twice again, and nothing else, unless told otherwise', () => {
    expect(run({}, failed(0), failed(0))[0]).toMatchObject({ phase: 'open', granted: 3 });
    expect(run({}, failed(0), failed(0), failed(0))[0]).toMatchObject({ phase: 'failed', fallback: 'mask' });
    for (const cause of ['timeout', 'agent_error', 'no_reward'] as const) {
      expect(run({}, failed(0, cause))[0]).toMatchObject({ phase: 'failed', cause, fallback: 'mask' });
    }
  });

  it('does not try again what cannot succeed', () => {
    expect(run({}, failed(0, 'infrastructure', 0, false))[0]).toMatchObject({ phase: 'failed' });
  });

  it('gives an agent error its reward where there is one', () => {
    const policy = { agentError: { fallback: { reward: -1 } } };
    expect(run({ policy }, failed(0, 'agent_error'))[0]).toEqual({ phase: 'kept', attempt: 0, reward: -1 });
    expect(run({ policy }, failed(0, 'no_reward'))[0]).toMatchObject({ phase: 'failed' });
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

  it('stops what is left as soon as the smallest viable size is out of reach', () => {
    const options = { rolloutsPerInput: 4, minViableSize: 3 };
    expect(phases(run(options, failed(0, 'timeout')))).toEqual(['failed', 'open', 'open', 'open']);
    expect(phases(run(options, failed(0, 'timeout'), failed(1, 'timeout')))).toEqual([
      'failed',
      'failed',
      'surplus',
      'surplus',
    ]);
  });

  it('replaces a late member, and gives it up only when every attempt has failed', () => {
    const policy = { late: { afterMs: 1, replacements: 1 }, infrastructure: { retries: 0 } };
    expect(run({ policy }, late(0))[0]).toMatchObject({ phase: 'open', granted: 2, replacements: 1 });
    expect(run({ policy }, late(0), late(0))[0]).toMatchObject({ granted: 2, replacements: 1 });
    expect(run({ policy }, late(0), failed(0))[0]).toMatchObject({ phase: 'open', ended: 1 });
    expect(run({ policy }, late(0), failed(0), failed(0, 'timeout', 1))[0]).toMatchObject({
      phase: 'failed',
      attempt: 1,
      cause: 'timeout',
    });
    expect(run({ policy }, late(0), rewarded(0, 2, 1))[0]).toMatchObject({ phase: 'kept', attempt: 1 });
  });

  it('does not replace unless told to', () => {
    expect(run({}, late(0))).toEqual(openGroupState(3));
  });

  it('can be closed with what there is', () => {
    expect(phases(run({}, rewarded(1), { type: 'closed' }))).toEqual(['surplus', 'kept', 'surplus']);
  });
});
