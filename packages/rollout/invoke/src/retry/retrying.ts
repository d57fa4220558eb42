import { backgroundClock, growingPauseMs, pause, systemClock } from '@art/ground';
import { RuntimeError } from '@art/protocol';
import pRetry from 'p-retry';

/** Longest wait before a call is sent again, without and with a word from the service. */
const longestBackoffMs = 20_000;
export const longestRetryAfterMs = 60_000;

// After a 429 the lane does the waiting, at the rate that it learns; this only keeps the refused from coming back together.
const longestThrottledMs = 2_000;

const firstBackoffMs = 500;

/** A stop continues for ever, but after so many repeats it no longer keeps a program alive that has nothing else to do. */
export const holdingStopRetries = 4;

/**
 * True if an invocation may be sent again without looking: it certainly reached no agent and waiting helps. After 5xx,
 * a reset or a time-out the agent may be at work already; the caller has to look for its result first.
 */
export function isInvokeRetried(error: unknown): error is RuntimeError {
  return (
    RuntimeError.isInstance(error) &&
    error.delivery === 'never' &&
    (error.code === 'ART_RUNTIME_THROTTLED' || error.code === 'ART_RUNTIME_CONFLICT')
  );
}

/**
 * True if a stop is sent again: for everything but failures that would repeat. A stop is idempotent, so the fate of the
 * first one does not matter, and a session that is not stopped costs money, so it is never given up.
 */
export function isStopRetried(error: unknown): error is RuntimeError {
  if (!RuntimeError.isInstance(error)) return false;
  return (
    error.code === 'ART_RUNTIME_THROTTLED' ||
    error.code === 'ART_RUNTIME_CONFLICT' ||
    error.code === 'ART_RUNTIME_UNAVAILABLE' ||
    error.httpStatus === 409
  );
}

/** How long to wait after a failed attempt (from 1): full jitter, or what the service asked for plus some jitter. */
export function retryDelayMs(error: RuntimeError, attempt: number, random: () => number): number {
  const longestMs = error.code === 'ART_RUNTIME_THROTTLED' ? longestThrottledMs : longestBackoffMs;
  const jitterMs = growingPauseMs(attempt, { firstMs: firstBackoffMs, longestMs, jitter: 1, random });
  if (error.retryAfterMs === undefined) return jitterMs;
  return Math.min(error.retryAfterMs, longestRetryAfterMs) + random() * firstBackoffMs;
}

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
