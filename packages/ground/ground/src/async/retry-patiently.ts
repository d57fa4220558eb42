import { type Clock, systemClock } from './clock.ts';
import { pause } from './pause.ts';

export interface RetryPatientlyOptions {
  /** True if the failed work may succeed when it is done again. */
  isRetryable: (error: unknown) => boolean;
  /** How long to wait before the next try. @param failures how many there were, from 1 */
  pauseMs: (failures: number, error: unknown) => number;
  /** How often in all. @default no bound */
  tries?: number | undefined;
  signal?: AbortSignal | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/**
 * Does something again until it succeeds, fails for good, or has failed too often.
 * @param work gets the number of its try, from 1
 * @throws the last error, or the signal's reason
 */
export async function retryPatiently<T>(
  work: (attempt: number) => Promise<T>,
  { isRetryable, pauseMs, tries = Infinity, signal, clock = systemClock }: RetryPatientlyOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= tries || !isRetryable(error)) throw error;
      await pause(pauseMs(attempt, error), { signal, clock });
    }
  }
}
