import { groupRecord, rolloutRecord, type BatchItem, type Group } from '@art/client';
import type { JsonObject } from '@art/ground';
import type { RolloutOutcome } from '@art/protocol';
import type { CaptureSummary } from '@art/rollout';
import type { GroupRecord, RolloutRecord } from '@art/trajectories';

/** A group of a run with the documents of its members. */
export function resultGroupRecord(group: Group, runId: string, bucket: string | undefined): GroupRecord {
  const record = groupRecord(group);
  const documents = new Map(
    [...group.members, ...group.leftOut].map((member) => {
      const outcome = 'outcome' in member ? member.outcome : member.attempts.at(-1)?.outcome;
      return [member.member, outcome && documentOf(outcome)];
    }),
  );
  return {
    ...record,
    runId,
    members: record.members.map((member) => ({
      ...member,
      bucket: bucket ?? null,
      document: documents.get(member.member) ?? null,
    })),
  };
}

/**
 * A rollout of a run with its document.
 * @param captured what the gateway captured @default nothing: calls of the model were not observed
 */
export function resultRecord(
  item: BatchItem,
  runId: string,
  bucket: string | undefined,
  captured?: CaptureSummary,
): RolloutRecord {
  return {
    ...rolloutRecord(item),
    runId,
    modelCalls: captured?.turns ?? null,
    failedCalls: captured?.failedCalls ?? null,
    trainedTokens: captured?.trainedTokens ?? null,
    bucket: bucket ?? null,
    document: documentOf(item.outcome),
  };
}

/** The document of an outcome that has one. */
export function documentOf(outcome: RolloutOutcome): JsonObject | null {
  return 'document' in outcome ? ((outcome.document as JsonObject | undefined) ?? null) : null;
}
