import type { TrainingRow } from '../rows/training-row.ts';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import { rowColumns } from './row-columns.ts';
import { trainingRowsToParquet } from './training-rows-to-parquet.ts';

function row(index: number, changes: Partial<TrainingRow> = {}): TrainingRow {
  return {
    schema: 'art.training-row.v1',
    row_id: `r${index}`,
    session_id: 's',
    rollout_id: 'r',
    group_id: index % 2 === 0 ? null : 'g',
    row_index: 0,
    row_count: 1,
    is_last: true,
    token_ids: Array.from({ length: index + 2 }, (_, token) => token * 7_919),
    prompt_length: 1,
    loss_mask: Array.from({ length: index + 1 }, () => 1),
    logprobs: Array.from({ length: index + 1 }, (_, token) => -0.5 * token),
    reward: index === 0 ? null : 0.1,
    status: 'completed',
    finish_reason: null,
    num_turns: 1,
    turn_spans: [{ trace_id: 't', start: 0, end: index + 1, temperature: 1 }],
    model: 'modèle 𝄞',
    created_at: 1_700_000_000_123,
    metadata: { big: 2n ** 60n },
    ...changes,
  };
}

async function readBack(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file, compressors });
}

describe('trainingRowsToParquet', () => {
  it('keeps every member of every row', async () => {
    const rows = [
      row(0),
      row(1, { advantages: [0.5, -1], routed_experts: { data: 'AA==', encoding: 'npy_base64' } }),
      row(2, { finish_reason: 'length', status: 'truncated' }),
      row(3, { token_ids: [5], prompt_length: 1, loss_mask: [], logprobs: [], turn_spans: [] }),
    ];
    const read = await readBack(trainingRowsToParquet(rows));
    expect(read).toEqual(
      rows.map(({ turn_spans, routed_experts, created_at, ...rest }) => ({
        ...rest,
        // The reader says undefined of a list that is null.
        advantages: rest.advantages,
        turn_spans: JSON.stringify(turn_spans),
        routed_experts: routed_experts === undefined ? null : JSON.stringify(routed_experts),
        metadata: '{"big":1152921504606846976}',
        created_at: BigInt(created_at),
      })),
    );
    expect(Object.keys(read[0]!)).toEqual(rowColumns.map(({ name }) => name));
  });

  it('has lists of int32 and float, and is compressed with zstd', () => {
    const bytes = trainingRowsToParquet([row(5_000)]);
    const { schema, row_groups, key_value_metadata } = parquetMetadata(bytes.buffer as ArrayBuffer);
    const listOf = (name: string): unknown => {
      const at = schema.findIndex((element) => element.name === name);
      expect(schema[at]).toMatchObject({ converted_type: 'LIST' });
      return schema[at + 2]?.type;
    };
    expect(['token_ids', 'loss_mask', 'logprobs', 'advantages'].map(listOf)).toEqual([
      'INT32',
      'INT32',
      'FLOAT',
      'FLOAT',
    ]);
    expect(new Set(row_groups[0]!.columns.map((column) => column.meta_data?.codec))).toEqual(
      new Set(['ZSTD']),
    );
    expect(key_value_metadata).toEqual([{ key: 'schema', value: 'art.training-row.v1' }]);
  });

  it('writes a file without rows, and none with a wrong one', async () => {
    expect(await readBack(trainingRowsToParquet([]))).toEqual([]);
    expect(() => trainingRowsToParquet([row(0), row(1, { prompt_length: 99 })])).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_TRAINING_ROW' }),
    );
  });
});
