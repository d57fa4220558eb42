import { zstdCompressSync } from 'node:zlib';
import { checkTrainingRow } from '../rows/check-training-row.ts';
import type { TrainingRow } from '../rows/training-row.ts';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { rowColumns, type ColumnKind, type RowColumn } from './row-columns.ts';

/**
 * Training rows as a Parquet file: a column for each field under its name, ids and masks as list<int32>, logprobs and
 * advantages as list<float>, which is float32; `turn_spans`, `routed_experts` and `metadata` as JSON; zstd. The file is
 * made in memory: write one for each few thousand rows.
 * @throws ArtError `ART_INVALID_TRAINING_ROW`, `ART_JSON_WRITE`
 */
export function trainingRowsToParquet(rows: readonly TrainingRow[]): Uint8Array {
  for (const row of rows) checkTrainingRow(row);
  const buffer = parquetWriteBuffer({
    columnData: rowColumns.map(({ name, value }) => ({ name, data: rows.map(value) })),
    schema: [{ name: 'root', num_children: rowColumns.length }, ...rowColumns.flatMap(schemaOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: [{ key: 'schema', value: 'art.training-row.v1' }],
  });
  return new Uint8Array(buffer);
}

function schemaOf({ name, kind, nullable = false }: RowColumn): SchemaElement[] {
  const repetition = nullable ? 'OPTIONAL' : 'REQUIRED';
  const element = leafOf[kind];
  if (kind !== 'int32-list' && kind !== 'float-list')
    return [{ name, repetition_type: repetition, ...element }];
  return [
    { name, repetition_type: repetition, num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...element },
  ];
}

const leafOf: Record<ColumnKind, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  'int32-list': { type: 'INT32' },
  'float-list': { type: 'FLOAT' },
};
