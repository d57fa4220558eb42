import type { BatchItem, Group } from '@art/client';
import { plainJson } from '../terminal/plain-json.ts';
import { invokeReport, whatCame } from './invoke-report.ts';

/** A group as a line of the output; `runId` and `index` come first, by which the line is found again. */
export function groupLine(group: Group, runId: string, bucket: string | undefined): string {
  const { index, kind, usable, inputId, rewards, meanReward = null, advantages, missing, elapsedMs } = group;
  return plainJson({
    runId,
    index,
    kind,
    usable,
    inputId,
    bucket: bucket ?? null,
    rewards: rewards.map(orNull),
    meanReward,
    advantages: advantages?.map(orNull) ?? null,
    missing,
    elapsedMs,
    members: group.members.map(memberOf),
    leftOut: group.leftOut.map(memberOf),
  });
}

function memberOf(member: Group['members'][number] | Group['leftOut'][number]): Record<string, unknown> {
  const { member: number, status } = member;
  const attempt = 'attempt' in member ? member.attempt : member.attempts.at(-1);
  const outcome = 'outcome' in member ? member.outcome : attempt?.outcome;
  return {
    member: number,
    status,
    reward: 'reward' in member ? orNull(member.reward) : null,
    advantage: 'advantage' in member ? orNull(member.advantage) : null,
    weight: 'weight' in member ? member.weight : 0,
    attempts: member.attempts.length,
    sessionId: attempt?.sessionId ?? null,
    resultKey: attempt?.resultKey ?? null,
    outcome: outcome?.kind ?? null,
    ...(outcome === undefined ? { error: null, document: null } : whatCame(outcome)),
  };
}

function orNull(value: number | undefined): number | null {
  return value ?? null;
}

/** A rollout as a line of the output; `runId` and `index` come first, by which the line is found again. */
export function itemLine(item: BatchItem, runId: string, bucket: string | undefined): string {
  const { index, attempt } = item;
  const attempts = item.attempts
    .slice(0, -1)
    .map(({ attempt: number, sessionId, resultKey = null, outcome }) => ({
      attempt: number,
      sessionId,
      resultKey,
      kind: outcome!.kind,
      error: whatCame(outcome!).error,
    }));
  return plainJson({ runId, index, attempt, ...invokeReport(item, bucket), attempts });
}
