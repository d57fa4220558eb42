import type { RolloutRecord } from './rollout-record.ts';

export const groupSchema = 'art.group.v1';

/** The outcome of a group, `art.group.v1`: a line of `art resume --out`, and what `art collect` sends and keeps, there with names as in Python. */
export interface GroupRecord {
  schema: typeof groupSchema;
  id: string;
  runId?: string | null | undefined;
  index: number;
  inputId: string;
  kind: 'complete' | 'degraded' | 'failed';
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

/** A rollout with its place in a group. `reward` is that of the group, also where `fallback` gave it. */
export interface MemberRecord extends Omit<RolloutRecord, 'schema' | 'id' | 'inputId'> {
  member: number;
  status: 'kept' | 'masked' | 'dropped' | 'surplus';
  advantage: number | null;
  weight: 0 | 1;
}
