import { pause, type Clock } from '@art/async';
import type { ResultStore } from '@art/store';
import { journalWriteFailed } from '../log/journal-refusal.ts';
import type { RunKeys } from './run-keys.ts';

export interface SegmentLogSettings {
  store: ResultStore;
  bucket: string;
  commitIntervalMs: number;
  giveUpMs: number;
  leaseMs: number;
  clock: Clock;
}

const firstRetryMs = 250;
const longestRetryMs = 5_000;

/**
 * Stores a segment where its number is free. A store that fails is tried again for a while; as a write may have succeeded
 * although its answer was lost, a taken number is compared with what was to be stored.
 * @throws ArtError `ART_JOURNAL_WRITE_FAILED`; the signal's reason when aborted
 */
export async function storeSegment(
  run: RunKeys,
  segment: number,
  text: string,
  settings: SegmentLogSettings,
  signal?: AbortSignal,
): Promise<'stored' | 'taken'> {
  const { clock, giveUpMs } = settings;
  const givenUpAtMs = clock.nowMs() + giveUpMs;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
    try {
      const outcome = await run.put(segment, text, { signal });
      if (outcome.kind === 'stored') return 'stored';
      return (await run.get(segment, { signal })) === text ? 'stored' : 'taken';
    } catch (error) {
      signal?.throwIfAborted();
      if (clock.nowMs() + retryMs > givenUpAtMs) throw journalWriteFailed(run.runId, run.where, error);
    }
    await pause(retryMs, { clock, signal });
  }
}
