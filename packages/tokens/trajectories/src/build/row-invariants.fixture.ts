import { checkRolloutRows } from '../rows/check-rollout-rows.ts';
import type { TrainingRow } from '../rows/training-row.ts';
import { expect } from 'vitest';
import type { Capture } from '../captures/capture.ts';

/**
 * Checks what has to hold for the rows of any rollout: lengths agree, what trains has its own logprob and nothing else has one, every
 * trained token is exactly the one that was sampled, and trains once.
 */
export function checkRows(rows: readonly TrainingRow[], captures: readonly Capture[]): void {
  if (rows.length > 0) checkRolloutRows(rows);
  const byId = new Map(captures.map((capture) => [capture.captureId, capture]));
  const spansOf = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const responseLength = row.token_ids.length - row.prompt_length;
    expect(row).toMatchObject({
      row_index: index,
      row_count: rows.length,
      is_last: index === rows.length - 1,
    });
    expect([row.loss_mask.length, row.logprobs.length]).toEqual([responseLength, responseLength]);
    expect(row.prompt_length).toBeGreaterThan(0);
    const masks = Array.from({ length: responseLength }, () => 0);
    const logprobs = Array.from({ length: responseLength }, () => 0);
    for (const { trace_id: captureId, start, end } of row.turn_spans) {
      expect(spansOf.has(captureId)).toBe(false);
      spansOf.add(captureId);
      const capture = byId.get(captureId);
      const sampled = [...(capture?.completionTokenIds.subarray(0, end - start) ?? [])];
      expect(row.token_ids.slice(row.prompt_length + start, row.prompt_length + end)).toEqual(sampled);
      for (let at = start; at < end; at += 1) {
        expect(masks[at]).toBe(0);
        masks[at] = 1;
        logprobs[at] = capture?.logprobs?.[at - start] ?? Number.NaN;
      }
    }
    expect(row.loss_mask).toEqual(masks);
    expect(row.logprobs).toEqual(logprobs);
  }
}
