import type { TrainingRow } from '@art/trajectories';
import { groupAdvantages, type AdvantageOptions } from './group-advantages.ts';
import type { Group, GroupRows, KeptMember, MemberWithoutRows } from './group.ts';

/**
 * Collects a group's rows. Advantages are over the rewards of the whole group, so that a member of which nothing was captured
 * still counts in their mean.
 * @param advantages @default mean-centred
 * @throws GatewayError where the gateway could not be asked; ArtError `ART_INVALID_OPTION` without a gateway
 */
export async function groupRows(
  { usable, members, leftOut }: Pick<Group, 'usable' | 'members' | 'leftOut'>,
  advantages: AdvantageOptions | undefined,
): Promise<GroupRows> {
  const without: MemberWithoutRows[] = leftOut.map(({ member, status }) => ({ member, reason: status }));
  const values = groupAdvantages(
    members.map(({ reward }) => reward),
    advantages,
  );
  const rows: TrainingRow[] = [];
  let count = 0;
  const taken = await Promise.all(
    members.map(async (member) => (member.status === 'kept' && usable ? await rowsOfMember(member) : [])),
  );
  for (const [place, member] of members.entries()) {
    const own = taken[place] ?? [];
    if (own.length === 0) {
      const rewarded = usable ? 'nothing_captured' : 'unusable_group';
      without.push({ member: member.member, reason: member.status === 'masked' ? 'masked' : rewarded });
      continue;
    }
    count += 1;
    rows.push(...own.map((row) => withAdvantage(row, values[place] ?? 0)));
  }
  return { rows, members: count, without: without.toSorted((a, b) => a.member - b.member) };
}

async function rowsOfMember({ attempt, reward }: KeptMember): Promise<TrainingRow[]> {
  const { rows } = await attempt.trajectory();
  return rows.map((row) => (row.is_last ? { ...row, reward } : row));
}

function withAdvantage(row: TrainingRow, advantage: number): TrainingRow {
  return { ...row, advantages: row.loss_mask.map((mask) => (mask === 1 ? advantage : 0)) };
}
