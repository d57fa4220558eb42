export interface StoreProbeParts {
  /** One small request of the kind that fails. */
  ask: (signal: AbortSignal) => Promise<unknown>;
  everyMs: number;
  /** When one question is given up. */
  timeoutMs: number;
  clock: Clock;
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
}

/**
 * Asks a store that fails one small question after the other, without waiting for the answers of earlier ones: a store
 * that stalls is known to be back within `everyMs`, and whole sweeps wait until then.
 * Resolves with the first answer; rejects with the signal's reason.
 */
export function untilStoreAnswers(parts: StoreProbeParts): Promise<void> {
  const { ask, everyMs, timeoutMs, clock, signal, onFailure } = parts;
  const over = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    over.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort), { once: true });
    const probe = (): void => {
      const late = new AbortController();
      const giveUp = (): void => late.abort(new Error(`the store did not answer within ${timeoutMs} ms`));
      const cancelTimeout = clock.after(timeoutMs, giveUp);
      const cancelNext = clock.after(everyMs, probe);
      const end = (): void => {
        cancelTimeout();
        cancelNext();
        giveUp();
      };
      over.signal.addEventListener('abort', end, { once: true });
      ask(late.signal)
        .then(
          () => resolve(),
          (error: unknown) => {
            if (!over.signal.aborted) onFailure(error);
          },
        )
        .finally(cancelTimeout);
    };
    if (signal.aborted) onAbort();
    else probe();
  }).finally(() => over.abort());
}
import type { Clock } from '@art/async';
