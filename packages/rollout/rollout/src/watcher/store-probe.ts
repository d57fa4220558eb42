import { callWithin, type Clock, linkSignals } from '@art/ground';

export interface StoreProbeDeps {
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
export function untilStoreAnswers(deps: StoreProbeDeps): Promise<void> {
  const { ask, everyMs, timeoutMs, clock, signal, onFailure } = deps;
  const over = linkSignals(signal);
  const timeoutError = (): Error => new Error(`the store did not answer within ${timeoutMs} ms`);
  let cancelNext: (() => void) | undefined;
  return new Promise<void>((resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error), { once: true });
    const probe = (): void => {
      cancelNext = clock.after(everyMs, probe);
      callWithin(ask, { signal: over.signal, clock, timeoutMs, timeoutError }).then(
        () => resolve(),
        (error: unknown) => {
          if (!over.signal.aborted) onFailure(error);
        },
      );
    };
    if (over.signal.aborted) reject(signal.reason as Error);
    else probe();
  }).finally(() => {
    cancelNext?.();
    over.unlink();
    over.abort(new Error('the store has answered'));
  });
}
