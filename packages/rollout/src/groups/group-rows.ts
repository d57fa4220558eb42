import type { TrainingRow } from '@art/trajectories';
import type { RolloutTrajectory } from '../gateway/rollout-trajectory.ts';
import { groupAdvantages, type AdvantageOptions } from './group-advantages.ts';
import type { Group, GroupMember, GroupRows, MemberWithoutRows } from './group.ts';
import { turnAdvantages } from './turn-advantages.ts';
import { turnRewards } from './turn-rewards.ts';

/**
 * Collects a group's rows. Advantages are over the rewards of the whole group, so that a member of which nothing was captured
 * still counts in their mean.
 * @param advantages @default mean-centred
 * @throws GatewayError where the gateway could not be asked; ArtError `ART_INVALID_OPTION` without a gateway,
 *   `ART_TURN_REWARDS_MISMATCH` with credit by turn
 */
export async function groupRows(
  { usable, members, leftOut }: Pick<Group, 'usable' | 'members' | 'leftOut'>,
  advantages: AdvantageOptions | undefined,
): Promise<GroupRows> {
  const without: MemberWithoutRows[] = leftOut.map(({ member, status }) => ({ member, reason: status }));
  const taken = await Promise.all(
    members.map((member) =>
      member.status === 'kept' && usable ? member.attempt.trajectory() : Promise.resolve(undefined),
    ),
  );
  const credits = creditsOf(members, taken, advantages);
  const rows: TrainingRow[] = [];
  let count = 0;
  for (const [place, member] of members.entries()) {
    const own = taken[place]?.rows ?? [];
    if (own.length === 0) {
      const rewarded = usable ? 'nothing_captured' : 'unusable_group';
      without.push({ member: member.member, reason: member.status === 'masked' ? 'masked' : rewarded });
      continue;
    }
    count += 1;
    for (const row of own) {
      const reward = row.is_last ? (member.reward ?? null) : row.reward;
      rows.push({ ...row, reward, advantages: credits[place]!(row) });
    }
  }
  return { rows, members: count, without: without.toSorted((a, b) => a.member - b.member) };
}

/** The advantages of a row's tokens. */
type Credit = (row: TrainingRow) => number[];

function creditsOf(
  members: readonly GroupMember[],
  taken: readonly (RolloutTrajectory | undefined)[],
  advantages: AdvantageOptions | undefined,
): Credit[] {
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
  const rewards = members.map((member, place) => {
    const trajectory = taken[place];
    return member.status === 'kept' && trajectory ? turnRewards(member, trajectory) : undefined;
  });
  return turnAdvantages(rewards, advantages).map((turns = []) => (row) => {
    const values = row.loss_mask.map(() => 0);
    for (const { turn, start, end } of row.turn_spans) values.fill(turns[turn!]!, start, end);
    return values.map((value, token) => (row.loss_mask[token] === 1 ? value : 0));
  });
}
