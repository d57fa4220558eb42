import { readConversation, type RolloutRecord, rolloutSchema, type CaptureRecord } from '@art/trajectories';
import type { Group, KeptMember, SurplusMember } from '../groups/group.ts';
import { outcomeRecord } from './rollout-record.ts';

/** Reads the calls of a session, as `compactCaptures` of a `GatewayClient` does. */
export type ReadCaptures = (sessionId: string) => Promise<readonly CaptureRecord[]>;

/**
 * The rollouts of a group as those see them who judge a run while it continues. Members that were stopped because the group no longer needed
 * them are left out. Of rollouts that failed the gateway keeps nothing.
 * @param readCaptures @default none: what was said is not observed
 */
export function capturedRollouts(group: Group, readCaptures?: ReadCaptures): Promise<RolloutRecord[]> {
  const members = [...group.members, ...group.leftOut].filter((member) => member.status !== 'surplus');
  return Promise.all(
    members
      .toSorted((one, other) => one.member - other.member)
      .map((member) => capturedRollout(group, member, readCaptures)),
  );
}

type TriedMember = Exclude<Group['members'][number] | Group['leftOut'][number], SurplusMember>;

async function capturedRollout(
  { inputId }: Group,
  member: TriedMember,
  readCaptures: ReadCaptures | undefined,
): Promise<RolloutRecord> {
  const { attempt } = member;
  // A failed read must not end the run.
  const captured = isKept(member) ? await attempt.trajectory().catch(() => undefined) : undefined;
  const captures =
    captured?.summary === undefined
      ? undefined
      : await readCaptures?.(attempt.sessionId).catch(() => undefined);
  return {
    schema: rolloutSchema,
    id: `${inputId}#${member.member}`,
    inputId,
    ...outcomeRecord(attempt, member.attempts),
    reward: isKept(member) ? member.reward : null,
    modelCalls: captured?.summary?.turns,
    failedCalls: captured?.summary?.failedCalls,
    trainedTokens: captured?.summary?.trainedTokens,
    rows: captured?.summary && captured.rows,
    conversation: captures && readConversation(captures, captured?.rows ?? []),
  };
}

function isKept(member: TriedMember): member is KeptMember {
  return member.status === 'kept';
}
