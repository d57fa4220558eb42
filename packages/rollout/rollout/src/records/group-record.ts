import { type GroupRecord, groupSchema, type MemberRecord } from '@art/trajectories';
import type { Group } from '../groups/group.ts';
import { outcomeRecord } from './rollout-record.ts';

type Member = Group['members'][number] | Group['leftOut'][number];

/** The outcome of a group, as JSON. */
export function groupRecord(group: Group): GroupRecord {
  const { id, index, inputId, kind, usable, rewards, meanReward, advantages, missing, elapsedMs } = group;
  return {
    schema: groupSchema,
    id,
    index,
    inputId,
    kind,
    usable,
    rewards: rewards.map(orNull),
    meanReward: orNull(meanReward),
    advantages: advantages?.map(orNull) ?? null,
    missing,
    elapsedMs: Math.round(elapsedMs),
    members: [...group.members, ...group.leftOut].map(memberRecord).toSorted((a, b) => a.member - b.member),
  };
}

function memberRecord(member: Member): MemberRecord {
  const last = 'attempt' in member ? member.attempt : (member.attempts.at(-1) ?? {});
  return {
    member: member.member,
    status: member.status,
    ...outcomeRecord(last, member.attempts),
    reward: 'reward' in member ? orNull(member.reward) : null,
    advantage: 'advantage' in member ? orNull(member.advantage) : null,
    weight: 'weight' in member ? member.weight : 0,
  };
}

function orNull(value: number | undefined): number | null {
  return value ?? null;
}
