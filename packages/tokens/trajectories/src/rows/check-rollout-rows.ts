import { ArtError, describeValue } from '@art/ground';
import type { TrainingRow } from './training-row.ts';
import { checkTrainingRow } from './check-training-row.ts';

/**
 * Checks all rows of one rollout: each by itself, that they are the rollout's and complete, and that no call's tokens are
 * in two of them, so that each sampled token trains at most once.
 * @throws ArtError `ART_INVALID_TRAINING_ROW` with the first violation
 */
export function checkRolloutRows(rows: readonly TrainingRow[]): void {
  const first = rows[0];
  if (first === undefined) refuse('Expected the rows of a rollout, got none.');
  const rowIds = new Set<string>();
  const rowOfIndex = new Map<number, string>();
  const rowOfCapture = new Map<string, string>();
  for (const row of rows) {
    checkTrainingRow(row);
    const name = JSON.stringify(row.row_id);
    for (const field of ['rollout_id', 'group_id', 'row_count'] as const) {
      if (row[field] !== first[field]) {
        refuse(
          `Expected ${field} of row ${name} to be ${describeValue(first[field])} as in the first row, got ${describeValue(row[field])}.`,
        );
      }
    }
    if (rowIds.has(row.row_id)) refuse(`Expected row their own ids, got ${name} twice.`);
    rowIds.add(row.row_id);
    const sameIndex = rowOfIndex.get(row.row_index);
    if (sameIndex !== undefined) {
      refuse(`Expected row_index ${row.row_index} once, got it in rows ${sameIndex} and ${name}.`);
    }
    rowOfIndex.set(row.row_index, name);
    for (const { trace_id: captureId } of row.turn_spans) {
      const other = rowOfCapture.get(captureId);
      if (other !== undefined) {
        refuse(
          `Expected the tokens of capture ${JSON.stringify(captureId)} in one row, got them in rows ${other} and ${name}.`,
        );
      }
      rowOfCapture.set(captureId, name);
    }
  }
  if (rows.length !== first.row_count) {
    refuse(
      `Expected ${first.row_count} rows of rollout ${JSON.stringify(first.rollout_id)}, got ${rows.length}.`,
    );
  }
}

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_TRAINING_ROW', message });
}
