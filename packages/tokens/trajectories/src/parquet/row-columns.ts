import type { TrainingRow } from '../rows/training-row.ts';
import { stringifyJson } from '@art/ground';

/** How a field of a row is kept in Parquet. */
export type ColumnKind =
  | 'text'
  | 'json'
  | 'int32'
  | 'int64'
  | 'double'
  | 'boolean'
  | 'int32-list'
  | 'float-list';

/** A column, by the name of the field. */
export interface RowColumn {
  name: keyof TrainingRow;
  kind: ColumnKind;
  nullable?: boolean;
  value: (row: TrainingRow) => unknown;
}

function plain(name: keyof TrainingRow, kind: ColumnKind, nullable = false): RowColumn {
  return { name, kind, nullable, value: (row) => row[name] ?? null };
}

/** For fields whose inside differs from row to row. */
function json(name: keyof TrainingRow, nullable = false): RowColumn {
  const value = (row: TrainingRow): string | null =>
    row[name] === undefined ? null : stringifyJson(row[name]);
  return { name, kind: 'json', nullable, value };
}

/** Every field of a row, in the order of the format. */
export const rowColumns: readonly RowColumn[] = [
  plain('schema', 'text'),
  plain('row_id', 'text'),
  plain('session_id', 'text'),
  plain('rollout_id', 'text'),
  plain('group_id', 'text', true),
  plain('row_index', 'int32'),
  plain('row_count', 'int32'),
  plain('is_last', 'boolean'),
  plain('token_ids', 'int32-list'),
  plain('prompt_length', 'int32'),
  plain('loss_mask', 'int32-list'),
  plain('logprobs', 'float-list'),
  plain('advantages', 'float-list', true),
  plain('reward', 'double', true),
  plain('status', 'text'),
  plain('finish_reason', 'text', true),
  plain('num_turns', 'int32'),
  json('turn_spans'),
  json('routed_experts', true),
  plain('model', 'text'),
  { ...plain('created_at', 'int64'), value: (row) => BigInt(Math.round(row.created_at)) },
  json('metadata'),
];
