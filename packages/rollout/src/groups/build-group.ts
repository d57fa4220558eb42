import type { RolloutOutcome } from '@art/protocol';
import { groupRows } from './group-rows.ts';
import { trajectoryOf } from '../gateway/trajectory-of.ts';
import type { Attempt } from '../pool/attempt.ts';
import { withMethods } from '../pool/with-methods.ts';
import { groupAdvantages } from './group-advantages.ts';
import type { GroupRules } from './group-options.ts';
import type { GroupState, MemberState } from './group-state.ts';
import type { DroppedMember, Group, GroupMember, KeptMember, MemberAttempt, SurplusMember } from './group.ts';

/** A settled group as the run knows it. */
export interface SettledGroup<Input> {
  index: number;
  inputId: string;
  input: Input;
  state: GroupState;
  /** Of each member, by the number of the attempt. */
  attempts: readonly (readonly Attempt[])[];
  rules: GroupRules;
  elapsedMs: number;
  acknowledge: () => Promise<void>;
}

/** A settled group as its consumer sees it. */
export function buildGroup<Input>(settled: SettledGroup<Input>): Group<Input> {
  const { index, inputId, input, rules, elapsedMs } = settled;
  const all = settled.state.map((state, member) =>
    buildMember(member, state, (settled.attempts[member] ?? []).map(memberAttempt)),
  );
  const members = all.filter((member) => member.status === 'kept' || member.status === 'masked');
  const leftOut = all.filter((member) => member.status === 'dropped' || member.status === 'surplus');
  const rewards = members.map((member) => member.reward);
  const known = rewards.filter((reward) => reward !== undefined);
  const missing = rules.targetSize - known.length;
  const base = { index, inputId, input, leftOut, rewards, meanReward: meanOf(known), missing, elapsedMs };
  const isUsable = known.length >= rules.minViableSize;
  const advantages =
    isUsable && rules.advantages !== undefined ? groupAdvantages(rewards, rules.advantages) : undefined;
  const group = isUsable
    ? {
        ...base,
        kind: missing === 0 ? ('complete' as const) : ('degraded' as const),
        usable: true as const,
        members: members.map((member, place) => withAdvantage(member, advantages?.[place])),
        advantages,
      }
    : { ...base, kind: 'failed' as const, usable: false as const, members, advantages: undefined };
  const { acknowledge } = settled;
  return withMethods(group, { acknowledge, rows: () => groupRows(group, rules.advantages) });
}

function buildMember(
  member: number,
  state: MemberState,
  begun: readonly (MemberAttempt | undefined)[],
): GroupMember | DroppedMember | SurplusMember {
  const attempts = begun.filter((attempt) => attempt !== undefined);
  if (state.phase === 'open' || state.phase === 'surplus') return { member, status: 'surplus', attempts };
  const attempt = begun[state.attempt];
  const outcome = attempt?.outcome;
  if (attempt === undefined || outcome === undefined)
    throw new Error('unreachable: it was judged by its outcome');
  if (state.phase === 'kept') {
    if (!isRewardable(outcome)) throw new Error('unreachable: only such outcomes get a reward');
    const { reward } = state;
    return { member, status: 'kept', reward, advantage: undefined, weight: 1, attempt, attempts, outcome };
  }
  const { cause, error } = state;
  const failed = { member, attempt, attempts, outcome, cause, error };
  return state.fallback === 'drop'
    ? { ...failed, status: 'dropped' }
    : { ...failed, status: 'masked', reward: undefined, advantage: undefined, weight: 0 };
}

function isRewardable(outcome: RolloutOutcome): outcome is KeptMember['outcome'] {
  return outcome.kind === 'ok' || outcome.kind === 'agent_error';
}

function withAdvantage(member: GroupMember, advantage: number | undefined): GroupMember {
  return member.status === 'kept' ? { ...member, advantage } : member;
}

function meanOf(rewards: readonly number[]): number | undefined {
  if (rewards.length === 0) return undefined;
  // Divided first, as a sum of large rewards may leave the range of a double.
  return rewards.reduce((sum, reward) => sum + reward / rewards.length, 0);
}

/** What a consumer is told of an attempt; undefined where no session ever worked for it. */
function memberAttempt({ index, state, rollout }: Attempt): MemberAttempt | undefined {
  const end = state.phase === 'ended' ? state.end : undefined;
  const known = end ?? (rollout && { ...rollout.request, outcome: undefined, timings: rollout.timings });
  if (known === undefined) return undefined;
  const { sessionId, resultKey, outcome, timings } = known;
  return withMethods(
    { index, sessionId, resultKey, outcome, timings },
    { trajectory: () => trajectoryOf(rollout ?? end!) },
  );
}
