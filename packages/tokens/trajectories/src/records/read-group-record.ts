import { isJsonObject } from '@art/ground';
import { type GroupRecord, groupSchema, type MemberRecord } from './group-record.ts';
import { hasSchema, finiteOf, readCaptured, rowsOf, readText } from './read-rollout-record.ts';
import { fromWireNames } from './wire-names.ts';

/**
 * Reads a line of a file of groups, of `art resume --out` or as `art collect` sends it.
 * @returns undefined for a line that is of something else
 * @throws ArtError `ART_RECORD_TOO_NEW`
 */
export function readGroupRecord(value: unknown): GroupRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { rows, ...rest } = value;
  const isOfWire = 'input_id' in value;
  // The readers of collect's lines are programs in Python.
  const line = isOfWire ? { ...(fromWireNames(rest) as object), schema: groupSchema } : rest;
  if (!hasSchema(line, groupSchema) || !Array.isArray(line['members'])) return undefined;
  const inputId = readText(line['inputId']);
  if (inputId === null) return undefined;
  const known = line['rowFormat'] === 'art' ? rowsOf(rows) : undefined;
  return {
    schema: groupSchema,
    id: readText(line['id']) ?? inputId,
    runId: readText(line['runId']),
    index: finiteOf(line['index']) ?? 0,
    inputId,
    kind: (readText(line['kind']) ?? 'unknown') as GroupRecord['kind'],
    usable: line['usable'] === true,
    rewards: numbersOf(line['rewards']),
    meanReward: finiteOf(line['meanReward']),
    advantages: Array.isArray(line['advantages']) ? numbersOf(line['advantages']) : null,
    missing: finiteOf(line['missing']) ?? 0,
    elapsedMs: finiteOf(line['elapsedMs']) ?? 0,
    members: (line['members'] as unknown[]).map((member, at) =>
      memberOf(isJsonObject(member) ? member : {}, at, known),
    ),
  };
}

function memberOf(value: Record<string, unknown>, at: number, rows: MemberRecord['rows']): MemberRecord {
  const captured = readCaptured(value);
  return {
    ...captured,
    member: finiteOf(value['member']) ?? at,
    status: (readText(value['status']) ?? 'unknown') as MemberRecord['status'],
    advantage: finiteOf(value['advantage']),
    weight: value['weight'] === 1 ? 1 : 0,
    rows: rows?.filter((row) => row.rollout_id === captured.sessionId),
  };
}

function numbersOf(list: unknown): (number | null)[] {
  return Array.isArray(list) ? list.map(finiteOf) : [];
}
