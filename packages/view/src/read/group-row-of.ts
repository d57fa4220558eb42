import { isJsonObject } from '@art/protocol';
import type { GroupMemberRow, GroupRow } from '../report/group-row.ts';
import { wellFormedOutcome } from './well-formed.ts';

/** A line of results as a group; undefined for a line that is none. */
export function groupRowOf(line: Record<string, unknown>): GroupRow | undefined {
  const { members } = line;
  if (!Array.isArray(members) || typeof line['inputId'] !== 'string') return undefined;
  return {
    index: numberOf(line['index']) ?? 0,
    inputId: line['inputId'],
    kind: textOf(line['kind']) ?? 'unknown',
    meanReward: numberOf(line['meanReward']),
    missing: numberOf(line['missing']) ?? 0,
    elapsedMs: numberOf(line['elapsedMs']),
    members: members.map(memberOf),
  };
}

function memberOf(value: unknown): GroupMemberRow {
  const member = isJsonObject(value) ? value : {};
  const { outcome, reward, error } = wellFormedOutcome(member);
  return {
    status: textOf(member['status']) ?? 'unknown',
    reward,
    advantage: numberOf(member['advantage']),
    outcome,
    problem: error === null ? null : `${error.code}: ${error.message}`.slice(0, 300),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
