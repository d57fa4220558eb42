import type { StepRow } from './step-row.ts';

/** How large one request of a service may be. */
export interface ChunkLimits {
  rows: number;
  bytes: number;
  /** The size of one token of a row, with all its members. */
  bytesPerToken: number;
}

/** Rows in their order, as requests that are small enough. A row that is too large by itself is its own request. */
export function chunkRows(rows: readonly StepRow[], limits: ChunkLimits): StepRow[][] {
  const chunks: StepRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = row.tokens.length * limits.bytesPerToken;
    const last = chunks.at(-1);
    if (last === undefined || last.length >= limits.rows || bytes + more > limits.bytes) {
      chunks.push([row]);
      bytes = more;
    } else {
      last.push(row);
      bytes += more;
    }
  }
  return chunks;
}
