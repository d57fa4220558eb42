import { callWithin } from './call-within.ts';
import { type Clock, systemClock } from './clock.ts';

// A connection that died without a word looks like a peer that thinks. Asking again costs little, and a large answer on a
// slow line is let finish by the longer patience of a later try.
const firstPatienceMs = 5_000;
const longestPatienceMs = 80_000;

/** Runs `work` when it is its turn. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Taken anew for each try; patience begins with it. @default at once */
  turn?: TakeTurn | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/**
 * Repeats an idempotent request when no answer comes: after 5 s, then with twice the patience each
 * time, 80 s at last. Errors are the caller's.
 * @throws what `ask` throws; an Error when no answer came; the signal's reason when aborted
 */
export async function askPatiently<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, turn = (work) => work(), clock = systemClock }: AskOptions = {},
): Promise<T> {
  for (let timeoutMs = firstPatienceMs; ; timeoutMs *= 2) {
    let isLate = false;
    const timeoutError = (): Error => {
      isLate = true;
      return new Error(`no answer came within ${timeoutMs} ms`);
    };
    try {
      return await turn(() => callWithin(ask, { signal, timeoutMs, timeoutError, clock }));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isLate || timeoutMs >= longestPatienceMs) throw error;
    }
  }
}
