import type { RolloutOutcome } from '@art/protocol';
import type { Attempt } from '../items/attempt.ts';
import type { MemberState } from '../items/item-state.ts';
import type { OpenItem } from '../items/open-item.ts';
import { withMethods } from '../items/with-methods.ts';
import type { SettledBy } from '../run/open-run.ts';
import { groupAdvantages } from './group-advantages.ts';
import type { GroupOptions } from './group-options.ts';
import { groupRows } from './group-rows.ts';
import type { DroppedMember, Group, GroupMember, KeptMember, SurplusMember } from './group.ts';

/** A settled group as its consumer sees it. */
export function buildGroup<Input extends object>(
  item: OpenItem<Input>,
  { rules, options, acknowledge, elapsedMs }: SettledBy<GroupOptions<Input>>,
): Group<Input> {
  const { advantages: advantageOptions } = options;
  const { id, index, inputId, input } = item;
  const all = item.state.map((state, member) => buildMember(member, state, attemptsOf(item, member)));
  const members = all.filter((member) => member.status === 'kept' || member.status === 'masked');
  const leftOut = all.filter((member) => member.status === 'dropped' || member.status === 'surplus');
  const rewards = members.map((member) => member.reward);
  const known = rewards.filter((reward) => reward !== undefined);
  const missing = rules.targetSize - known.length;
  const base = { id, index, inputId, input, leftOut, rewards, meanReward: meanOf(known), missing, elapsedMs };
  const isUsable = known.length >= rules.minSize;
  const advantages = isUsable && advantageOptions ? groupAdvantages(rewards, advantageOptions) : undefined;
  const group = isUsable
    ? {
        ...base,
        kind: missing === 0 ? ('complete' as const) : ('degraded' as const),
        usable: true as const,
        members: members.map((member, position) => withAdvantage(member, advantages?.[position])),
        advantages,
      }
    : { ...base, kind: 'failed' as const, usable: false as const, members, advantages: undefined };
  return withMethods(group, { acknowledge, rows: () => groupRows(group, rules.minSize, advantageOptions) });
}

/** By their numbers; undefined where no session ever worked for one. */
function attemptsOf(
  { attempts }: Pick<OpenItem<object>, 'attempts'>,
  member: number,
): (Attempt | undefined)[] {
  return attempts.flatMap((attempt) => (attempt.member === member ? [attempt.toAttempt()] : []));
}

function buildMember(
  member: number,
  state: MemberState,
  made: readonly (Attempt | undefined)[],
): GroupMember | DroppedMember | SurplusMember {
  const attempts = made.filter((attempt) => attempt !== undefined);
  if (state.phase === 'open' || state.phase === 'surplus') return { member, status: 'surplus', attempts };
  const attempt = made[state.attempt];
  const outcome = attempt?.outcome;
  if (attempt === undefined || outcome === undefined)
    throw new Error('unreachable: it was judged by its outcome');
  if (state.phase === 'kept') {
    const { reward } = state;
    if (!isRewardable(outcome) || reward === undefined)
      throw new Error('unreachable: only such outcomes get a reward');
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
