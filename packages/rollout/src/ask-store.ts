// A connection that died without a word looks like a store that thinks. Asking again costs little, and a large document
// on a slow line is let finish by the longer patience of a later try.
const firstPatienceMs = 5_000;
const longestPatienceMs = 80_000;

/** Runs `work` when it is its turn. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Asks a store something that can be asked again, and does so when no answer comes; errors are the caller's.
 * @param turn taken anew each time; patience begins with it. @default at once
 * @throws what `ask` throws; the signal's reason when aborted
 */
export async function askStore<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  clock: Clock,
  signal?: AbortSignal,
  turn: TakeTurn = (work) => work(),
): Promise<T> {
  for (let patienceMs = firstPatienceMs; ; patienceMs *= 2) {
    const late = new AbortController();
    try {
      return await turn(async () => {
        const cancel = clock.after(patienceMs, () =>
          late.abort(new Error(`the store did not answer within ${patienceMs} ms`)),
        );
        try {
          return await ask(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
        } finally {
          cancel();
        }
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!late.signal.aborted || patienceMs >= longestPatienceMs) throw error;
    }
  }
}
import type { Clock } from '@art/async';
