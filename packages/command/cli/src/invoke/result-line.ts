import { groupRecord, rolloutRecord, type BatchItem, type Group } from '@art/client';
import type { CaptureSummary } from '@art/rollout';
import type { ResultDocument, RolloutOutcome } from '@art/protocol';
import { printedJson } from '../terminal/printed-json.ts';

/** A group as a line of the output, with the documents of its members; `runId` and `id` come first, by which the line is found again. */
export function resultGroupLine(group: Group, runId: string, bucket: string | undefined): string {
  const { id, members, ...record } = groupRecord(group);
  const documents = new Map(
    [...group.members, ...group.leftOut].map((member) => {
      const outcome = 'outcome' in member ? member.outcome : member.attempts.at(-1)?.outcome;
      return [member.member, outcome && documentOf(outcome)];
    }),
  );
  return printedJson({
    runId,
    id,
    ...record,
    bucket: bucket ?? null,
    members: members.map((member) => ({ ...member, document: documents.get(member.member) ?? null })),
  });
}

/**
 * A rollout as a line of the output; `runId` and `id` come first, by which the line is found again.
 * @param captured what the gateway captured @default nothing: calls of the model were not observed
 */
export function itemLine(
  item: BatchItem,
  runId: string,
  bucket: string | undefined,
  captured?: CaptureSummary,
): string {
  return printedJson({
    runId,
    ...rolloutRecord(item),
    modelCalls: captured?.turns ?? null,
    failedCalls: captured?.failedCalls ?? null,
    trainedTokens: captured?.trainedTokens ?? null,
    bucket: bucket ?? null,
    document: documentOf(item.outcome),
  });
}

/** The document of an outcome that has one. */
export function documentOf(outcome: RolloutOutcome): ResultDocument | null {
  return 'document' in outcome ? (outcome.document ?? null) : null;
}
