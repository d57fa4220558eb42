import {
  type RecordedRollout,
  readConversation,
  type TraceRecord,
  type TrainingRow,
} from '@art/trajectories';
import type { Group, KeptMember, SurplusMember } from '../groups/group.ts';
import { outcomeRecord, type OutcomeRecord } from './rollout-record.ts';

/**
 * The outcome of a group's rollout, and the facts known about its model calls. Facts that nobody observed are
 * undefined.
 */
export interface CapturedRollout extends OutcomeRecord, RecordedRollout {
  outcome: OutcomeRecord['outcome'];
  /** Answers of the model that the gateway captured. */
  modelCalls: number | undefined;
  /** Calls of the model that failed; they are not among `modelCalls`. */
  failedCalls: number | undefined;
  /** Tokens that train in the rows. */
  trainedTokens: number | undefined;
  rows: readonly TrainingRow[] | undefined;
}

/** Reads the calls of a session, as `compactTraces` of a `GatewayClient` does. */
export type ReadTraces = (sessionId: string) => Promise<readonly TraceRecord[]>;

/**
 * The rollouts of a group as those see them who judge a run while it goes on. Members that were stopped because the group no longer needed
 * them are left out. Of rollouts that failed the gateway keeps nothing.
 * @param readTraces @default none: what was said is not observed
 */
export function capturedRollouts(group: Group, readTraces?: ReadTraces): Promise<CapturedRollout[]> {
  const members = [...group.members, ...group.leftOut].filter((member) => member.status !== 'surplus');
  return Promise.all(
    members
      .toSorted((one, other) => one.member - other.member)
      .map((member) => capturedRollout(group, member, readTraces)),
  );
}

type TriedMember = Exclude<Group['members'][number] | Group['leftOut'][number], SurplusMember>;

async function capturedRollout(
  { inputId }: Group,
  member: TriedMember,
  readTraces: ReadTraces | undefined,
): Promise<CapturedRollout> {
  const { attempt } = member;
  // Nobody ends a run because somebody cannot look at it.
  const captured = isKept(member) ? await attempt.trajectory().catch(() => undefined) : undefined;
  const traces =
    captured?.summary === undefined
      ? undefined
      : await readTraces?.(attempt.sessionId).catch(() => undefined);
  return {
    id: `${inputId}#${member.member}`,
    inputId,
    ...outcomeRecord(attempt, member.attempts),
    reward: isKept(member) ? member.reward : null,
    modelCalls: captured?.summary?.turns,
    failedCalls: captured?.summary?.failedCalls,
    trainedTokens: captured?.summary?.trainedTokens,
    rows: captured?.summary && captured.rows,
    conversation: traces && readConversation(traces, captured?.rows ?? []),
  };
}

function isKept(member: TriedMember): member is KeptMember {
  return member.status === 'kept';
}
