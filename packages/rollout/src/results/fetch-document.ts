import { askPatiently, type Clock, pause, type Semaphore, type TakeTurn } from '@art/async';
import type { ResultLocation, ResultStore } from '@art/store';

export interface FetchDocumentParts {
  store: ResultStore;
  clock: Clock;
  /** Of reads under way at once. */
  fetchLimit: Semaphore;
  /** How long a result that was noticed may stay unreadable before its rollout is given up. */
  fetchGiveUpMs: number;
}

const firstRetryMs = 100;
const longestRetryMs = 5_000;

/**
 * Reads a result that was noticed. A store may list a key before it can be read, and may fail for a while: both are
 * retried with growing pauses until `fetchGiveUpMs` has passed. A place among the reads is held for a try only, and each try lines
 * up behind the results that wait already: what cannot be read delays others by its tries and not by its pauses, and what is
 * new is no reason for a retry to wait longer. Time in line does not count.
 * @throws Error with the last failure as its cause; the signal's reason when aborted.
 */
export async function fetchDocument(
  at: ResultLocation,
  parts: FetchDocumentParts,
  signal: AbortSignal,
): Promise<string> {
  let givenUpAtMs = parts.clock.nowMs() + parts.fetchGiveUpMs;
  const turn: TakeTurn = (work) => {
    const linedUpAtMs = parts.clock.nowMs();
    return parts.fetchLimit.run(signal, () => {
      givenUpAtMs += parts.clock.nowMs() - linedUpAtMs;
      return work();
    });
  };
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
    let failure: unknown;
    try {
      const text = await askPatiently((asked) => parts.store.get(at, { signal: asked }), {
        clock: parts.clock,
        signal,
        turn,
      });
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
    await pause(retryMs, { clock: parts.clock, signal });
  }
}
