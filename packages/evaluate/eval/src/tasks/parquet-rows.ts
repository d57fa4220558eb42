import { refuseData } from '@art/ground';
import { basename } from 'node:path';

/**
 * The rows of a Parquet file as JSON has them, a row group in memory at a time: whole numbers that a double cannot hold are bigints, times are ISO
 * texts, bytes that are no text are base64, and what is no number is null.
 * @throws ArtError `ART_INVALID_OPTION` for what is no Parquet, or is torn
 */
export async function* parquetRows(file: string): AsyncGenerator<Record<string, unknown>, void, undefined> {
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects }, { compressors }] =
    await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  try {
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    let rowEnd = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const rowStart = rowEnd;
      rowEnd += Number(count);
      const rows = await parquetReadObjects({
        file: buffer,
        metadata,
        rowStart,
        rowEnd,
        compressors,
        utf8: false,
      });
      for (const row of rows) yield jsonOf(row) as Record<string, unknown>;
    }
  } catch (cause) {
    refuseData('a Parquet file', `${basename(file)}: ${(cause as Error).message}`, cause);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return textOf(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, jsonOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member)]));
  return value ?? null;
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}
