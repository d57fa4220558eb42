import { isJsonObject, type JsonValue } from '@art/ground';
import type { TrajectorySummaryRecord } from '../records/trajectory.ts';
import { checkTrainingRow, type TrainingRow } from '@art/trajectories';
import { listReply, objectReply } from './reply-shape.ts';

/** A trajectory that was finished. */
export interface FinishedTrajectory {
  rows: readonly TrainingRow[];
  /** Summary of the captures, and of those that do not train; undefined where the gateway gives none. */
  summary: TrajectorySummaryRecord | undefined;
}

/** @throws ArtError `ART_GATEWAY_BAD_REPLY`, `ART_INVALID_TRAINING_ROW` */
export function readFinishedTrajectory(call: string, reply: JsonValue): FinishedTrajectory {
  const { records, summary } = objectReply(call, reply);
  const rows = listReply<unknown>(call, records ?? null).map((row) => {
    checkTrainingRow(row);
    return row;
  });
  return {
    rows,
    summary: isJsonObject(summary) ? (summary as unknown as TrajectorySummaryRecord) : undefined,
  };
}
