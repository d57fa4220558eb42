import { backgroundClock, pause, systemClock } from '@art/async';
import type { RuntimeError } from '@art/protocol';
import pRetry from 'p-retry';
import { retryDelayMs } from './retry-rules.ts';

export interface RetryingOptions {
  retries: number;
  isRetried: (error: unknown) => error is RuntimeError;
  random: () => number;
  signal: AbortSignal;
  /** After so many retries the pauses between them no longer keep the process alive. @default never */
  holdingRetries?: number | undefined;
  onRetry: (retry: { attempt: number; delayMs: number; error: RuntimeError }) => void;
}

/** Runs `attempt` until it succeeds, fails for good or has used up its retries. Attempts count from 1. */
export function retrying<T>(attempt: (attempt: number) => Promise<T>, options: RetryingOptions): Promise<T> {
  const { retries, isRetried, random, signal, holdingRetries = Infinity, onRetry } = options;
  return pRetry(attempt, {
    retries,
    signal,
    // p-retry has no full jitter and does not know about `retry-after`; the waiting is done below.
    minTimeout: 0,
    shouldRetry: ({ error }) => isRetried(error),
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      if (retriesLeft <= 0 || !isRetried(error)) return;
      const delayMs = retryDelayMs(error, attemptNumber, random);
      onRetry({ attempt: attemptNumber, delayMs, error });
      const clock = attemptNumber <= holdingRetries ? systemClock : backgroundClock;
      await pause(delayMs, { signal, clock });
    },
  });
}
