import { ArtError } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import type { RolloutTrajectory } from '../gateway/rollout-trajectory.ts';
import { groupAdvantages, type AdvantageOptions } from './group-advantages.ts';
import type { Group, GroupMember, GroupRows, MemberWithoutRows } from './group.ts';
import { turnAdvantages } from './turn-advantages.ts';
import { turnRewards } from './turn-rewards.ts';

/**
 * Collects a group's rows. Advantages are over the rewards of the whole group, so that a member of which nothing was captured
 * still counts in their mean. With credit by turn a member counts only with a reward for each turn.
 * @param minSize members that the group needs to be of use
 * @param advantages @default mean-centred
 * @throws GatewayError where the gateway could not be asked; ArtError `ART_INVALID_OPTION` without a gateway
 */
export async function groupRows(
  { usable, members, leftOut }: Pick<Group, 'usable' | 'members' | 'leftOut'>,
  minSize: number,
  advantages: AdvantageOptions | undefined,
): Promise<GroupRows> {
  const without: MemberWithoutRows[] = leftOut.map(({ member, status }) => ({ member, reason: status }));
  const taken = await Promise.all(
    members.map((member) =>
      member.status === 'kept' && usable ? member.attempt.trajectory() : Promise.resolve(undefined),
    ),
  );
  const credits = creditsOf(members, taken, minSize, advantages);
  const rows: TrainingRow[] = [];
  let count = 0;
  for (const [place, member] of members.entries()) {
    const trajectory = taken[place];
    const credit = credits[place]!;
    const problem = withoutBecause(member, trajectory, credit);
    if (problem !== undefined) {
      without.push({ member: member.member, ...problem });
      continue;
    }
    count += 1;
    for (const row of trajectory!.rows) {
      const reward = row.is_last ? (member.reward ?? null) : row.reward;
      rows.push({ ...row, reward, advantages: (credit as RowCredit)(row) });
    }
  }
  return { rows, members: count, without: without.toSorted((a, b) => a.member - b.member) };
}

/** The advantages of a row's tokens. */
type RowCredit = (row: TrainingRow) => number[];

/** Why a member has no advantages. */
type NoCredit = Omit<MemberWithoutRows, 'member'>;

function withoutBecause(
  { status }: GroupMember,
  trajectory: RolloutTrajectory | undefined,
  credit: RowCredit | NoCredit,
): NoCredit | undefined {
  if (status === 'masked') return { reason: 'masked' };
  if (trajectory === undefined) return { reason: 'unusable_group' };
  if (typeof credit !== 'function') return credit;
  if (trajectory.rows.length > 0) return undefined;
  const other = trajectory.summary?.maskedTurns.find(({ reason }) => reason === 'not_chosen');
  if (other === undefined) return { reason: 'nothing_captured' };
  const problem = `Nothing of rollout ${JSON.stringify(trajectory.sessionId)} trains; \`trains\` left out a turn: ${other.problems.join(', ')}.`;
  return { reason: 'not_chosen', problem };
}

function creditsOf(
  members: readonly GroupMember[],
  taken: readonly (RolloutTrajectory | undefined)[],
  minSize: number,
  advantages: AdvantageOptions | undefined,
): (RowCredit | NoCredit)[] {
  if (advantages?.credit !== 'turn') {
    const values = groupAdvantages(
      members.map(({ reward }) => reward),
      advantages,
    );
    return values.map(
      (value = 0) =>
        (row) =>
          row.loss_mask.map((mask) => (mask === 1 ? value : 0)),
    );
  }
  const rewards = members.map((member, place) => rewardsOf(member, taken[place]));
  const known = rewards.map((given) => (Array.isArray(given) ? given : undefined));
  const isUsable = known.filter((given) => given !== undefined).length >= minSize;
  const turns = turnAdvantages(known, advantages);
  return rewards.map((given, place) => {
    if (given !== undefined && !Array.isArray(given)) return given;
    return isUsable ? spread(turns[place] ?? []) : { reason: 'unusable_group' };
  });
}

/** The rewards of a member's turns, why it has none, or undefined for one that failed. One wrong rollout is not the end of a run. */
function rewardsOf(
  member: GroupMember,
  trajectory: RolloutTrajectory | undefined,
): number[] | NoCredit | undefined {
  if (member.status !== 'kept' || trajectory === undefined) return undefined;
  try {
    return turnRewards(member, trajectory);
  } catch (error) {
    if (ArtError.isInstance(error) && error.code === 'ART_TURN_REWARDS_MISMATCH')
      return { reason: 'turn_rewards', problem: error.message };
    throw error;
  }
}

function spread(turns: readonly number[]): RowCredit {
  return (row) => {
    const values = row.loss_mask.map(() => 0);
    for (const { turn, start, end } of row.turn_spans) values.fill(turns[turn!]!, start, end);
    return values.map((value, token) => (row.loss_mask[token] === 1 ? value : 0));
  };
}
