import type { BatchItem } from '@art/client';
import { invokeReport } from '../invoke/invoke-report.ts';
import { plainJson } from '../terminal/plain-json.ts';

/** A rollout as a line of the output; `runId` and `index` come first, by which the line is found again. */
export function itemLine(item: BatchItem, runId: string, bucket: string | undefined): string {
  const { index, attempt } = item;
  const attempts = item.attempts.map(({ error, resultKey = null, ...lost }) => ({
    ...lost,
    resultKey,
    error: { code: error.code, message: error.message },
  }));
  return plainJson({ runId, index, attempt, ...invokeReport(item, bucket), attempts });
}
