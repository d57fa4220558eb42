import type { ArtError } from '@art/protocol';
import { failureRule } from './group-policy.ts';
import type { GroupRules } from './group-options.ts';
import type { FailureCause, Judgement } from './judge-outcome.ts';

/** Where a member of a group is. `attempt` numbers its attempts from 0. */
export type MemberState =
  /** May still get a reward: of `granted` attempts `ended` have failed. */
  | { phase: 'open'; granted: number; ended: number; retries: number; replacements: number }
  | { phase: 'kept'; attempt: number; reward: number }
  | { phase: 'failed'; attempt: number; cause: FailureCause; error: ArtError; fallback: 'mask' | 'drop' }
  /** The group was settled without it. */
  | { phase: 'surplus' };

/** The members of one group, in their order. It is settled when none is open. */
export type GroupState = readonly MemberState[];

export type GroupTransition =
  | { type: 'judged'; member: number; attempt: number; judgement: Judgement; mayRetry: boolean }
  /** An attempt has been running for longer than the policy likes. */
  | { type: 'late'; member: number }
  /** Nothing further will be started. */
  | { type: 'closed' };

export function openGroupState(size: number): GroupState {
  return Array.from({ length: size }, () => ({
    phase: 'open',
    granted: 1,
    ended: 0,
    retries: 0,
    replacements: 0,
  }));
}

/** The only way a group changes. A member keeps its first reward; what arrives for one that is not open changes nothing. */
export function advanceGroup(state: GroupState, transition: GroupTransition, rules: GroupRules): GroupState {
  if (transition.type === 'closed') return endOpenMembers(state);
  const before = state[transition.member];
  if (before?.phase !== 'open') return state;
  const after =
    transition.type === 'late'
      ? replaceMember(before, rules)
      : judgeMember(before, transition, rules, isNeeded(state, rules));
  const next = state.with(transition.member, after);
  return isDecided(next, rules) ? endOpenMembers(next) : next;
}

export function isSettled(state: GroupState): boolean {
  return countOf(state, 'open') === 0;
}

type OpenMember = Extract<MemberState, { phase: 'open' }>;

function replaceMember(member: OpenMember, rules: GroupRules): MemberState {
  if (member.replacements >= rules.mostReplacements) return member;
  return { ...member, granted: member.granted + 1, replacements: member.replacements + 1 };
}

function judgeMember(
  member: OpenMember,
  judged: Extract<GroupTransition, { type: 'judged' }>,
  rules: GroupRules,
  memberIsNeeded: boolean,
): MemberState {
  const { attempt, judgement } = judged;
  if (judgement.kind === 'rewarded') return { phase: 'kept', attempt, reward: judgement.reward };
  const ended = member.ended + 1;
  // Another attempt of a late member is still under way.
  if (ended < member.granted) return { ...member, ended };
  const { cause, error } = judgement;
  const { retries, fallback } = failureRule(rules.policy, cause);
  if (judged.mayRetry && memberIsNeeded && member.retries < retries) {
    return { ...member, ended, granted: member.granted + 1, retries: member.retries + 1 };
  }
  return typeof fallback === 'object'
    ? { phase: 'kept', attempt, reward: fallback.reward }
    : { phase: 'failed', attempt, cause, error, fallback };
}

// Members started beyond the size that is kept make up for failed ones before anything is started anew.
function isNeeded(state: GroupState, rules: GroupRules): boolean {
  return countOf(state, 'kept') + countOf(state, 'open') <= rules.targetSize;
}

function isDecided(state: GroupState, rules: GroupRules): boolean {
  const kept = countOf(state, 'kept');
  return kept >= rules.targetSize || kept + countOf(state, 'open') < rules.minViableSize;
}

function endOpenMembers(state: GroupState): GroupState {
  return state.map((member) => (member.phase === 'open' ? { phase: 'surplus' } : member));
}

function countOf(state: GroupState, phase: MemberState['phase']): number {
  return state.reduce((count, member) => count + (member.phase === phase ? 1 : 0), 0);
}
