import { isJsonObject } from '@art/ground';
import type { TrainingRow } from '@art/trajectories';
import { capturedOutcome, type CapturedOutcome } from './rollout-line.ts';

/** A line of a settled group: of `art resume --out`, or as `art collect` sends and keeps it. */
export interface GroupLine {
  id: string;
  index: number;
  inputId: string;
  /** `complete`, `degraded` or `failed`. */
  kind: string;
  meanReward: number | null;
  missing: number;
  elapsedMs: number | null;
  members: GroupMemberLine[];
}

export interface GroupMemberLine extends CapturedOutcome {
  member: number;
  /** `kept`, `masked`, `dropped` or `surplus`. */
  status: string;
  advantage: number | null;
  /** Undefined where the line has none, or has them in the shape of a trainer. */
  rows: TrainingRow[] | undefined;
}

/** Undefined for a line that is of something else. */
export function evalGroupLine(value: unknown): GroupLine | undefined {
  if (!isJsonObject(value) || !Array.isArray(value['members'])) return undefined;
  // Of `art collect`: its readers are programs in Python.
  const { rows, row_format: rowFormat, ...rest } = value;
  const line = 'input_id' in value ? camelCased(rest) : rest;
  if (!isJsonObject(line) || typeof line['inputId'] !== 'string') return undefined;
  const known = rowFormat === 'art' && Array.isArray(rows) ? rows.filter(isRow) : undefined;
  return {
    id: textOf(line['id']) ?? line['inputId'],
    index: numberOf(line['index']) ?? 0,
    inputId: line['inputId'],
    kind: textOf(line['kind']) ?? 'unknown',
    meanReward: numberOf(line['meanReward']),
    missing: numberOf(line['missing']) ?? 0,
    elapsedMs: numberOf(line['elapsedMs']),
    members: (line['members'] as unknown[]).map((member, at) => memberLine(member, at, known)),
  };
}

function memberLine(value: unknown, at: number, rows: readonly TrainingRow[] | undefined): GroupMemberLine {
  const member = isJsonObject(value) ? value : {};
  const outcome = capturedOutcome(member);
  const { sessionId } = outcome;
  return {
    ...outcome,
    member: numberOf(member['member']) ?? at,
    status: textOf(member['status']) ?? 'unknown',
    advantage: numberOf(member['advantage']),
    rows: rows?.filter((row) => row.rollout_id === sessionId),
  };
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      camelCased(member),
    ]),
  );
}

function isRow(value: unknown): value is TrainingRow {
  return isJsonObject(value) && Array.isArray(value['loss_mask']) && Array.isArray(value['turn_spans']);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
