import type { ResultLocation, ResultStore } from '@art/store';
import { askStore } from '../ask-store.ts';
import type { Clock } from '../clock.ts';
import { pause } from '../pause.ts';

export interface FetchDocumentParts {
  store: ResultStore;
  clock: Clock;
  /** How long a result that was noticed may stay unreadable before its rollout is given up. */
  giveUpMs: number;
}

const firstRetryMs = 100;
const longestRetryMs = 5_000;

/**
 * Reads a result that was noticed. A store may list a key before it can be read, and may fail for a while: both are
 * retried with growing pauses until `giveUpMs` has passed.
 * @throws Error with the last failure as its cause; the signal's reason when aborted.
 */
export async function fetchDocument(
  at: ResultLocation,
  parts: FetchDocumentParts,
  signal: AbortSignal,
): Promise<string> {
  const givenUpAtMs = parts.clock.nowMs() + parts.giveUpMs;
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
    let failure: unknown;
    try {
      const text = await askStore((asked) => parts.store.get(at, { signal: asked }), parts.clock, signal);
      if (text !== undefined) return text;
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
    if (parts.clock.nowMs() + retryMs > givenUpAtMs) {
      throw new Error(
        failure === undefined ? 'the store lists it but has nothing to read' : (failure as Error).message,
        {
          cause: failure,
        },
      );
    }
    await pause(parts.clock, retryMs, signal);
  }
}
