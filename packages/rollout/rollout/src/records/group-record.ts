import type { Group, GroupKind } from '../groups/group.ts';
import { outcomeRecord, type OutcomeRecord } from './rollout-record.ts';

/** The outcome of a group, as JSON; members are null if the value does not exist or is not known. */
export interface GroupRecord {
  id: string;
  index: number;
  inputId: string;
  kind: GroupKind;
  usable: boolean;
  /** The rewards of kept and masked members, in their order. */
  rewards: (number | null)[];
  meanReward: number | null;
  advantages: (number | null)[] | null;
  /** How many of the members that a whole group has are without reward. */
  missing: number;
  elapsedMs: number;
  /** All of them, those that are no part of the group among them, in their order. */
  members: MemberRecord[];
}

/** `reward` is that of the group, also where `fallback` gave it. */
export interface MemberRecord extends OutcomeRecord {
  member: number;
  status: Member['status'];
  advantage: number | null;
  weight: 0 | 1;
}

type Member = Group['members'][number] | Group['leftOut'][number];

/** The outcome of a group, as JSON. */
export function groupRecord(group: Group): GroupRecord {
  const { id, index, inputId, kind, usable, rewards, meanReward, advantages, missing, elapsedMs } = group;
  return {
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
