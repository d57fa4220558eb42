import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../pacing/fake-runtime.fixture.ts';
import { isInvokeRetried, isStopRetried, retryDelayMs, retrying } from './retrying.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('keeps a program alive during so many pauses, and not during later ones', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  const held: boolean[] = [];
  let attempts = 0;
  const done = retrying(
    async () => {
      attempts += 1;
      if (attempts <= 5) throw failure(503);
    },
    {
      retries: Infinity,
      holdingRetries: 3,
      isRetried: isStopRetried,
      random: () => 0.5,
      signal: new AbortController().signal,
      onRetry: ({ delayMs }) =>
        queueMicrotask(() => {
          const pause = setTimer.mock.results.findLast(
            (_, index) => setTimer.mock.calls[index]![1] === delayMs,
          );
          held.push((pause!.value as NodeJS.Timeout).hasRef());
        }),
    },
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(held).toEqual([true, true, true, false, false]);
});

it('an invocation is sent again only when it was certainly not delivered and waiting helps', () => {
  const statuses = [400, 402, 403, 404, 409, 424, 429, 500, 503, undefined];
  expect(statuses.filter((status) => isInvokeRetried(failure(status)))).toEqual([409, 429]);
  expect(isInvokeRetried(new Error('a bug'))).toBe(false);
});

it('a stop is sent again after whatever may pass', () => {
  const statuses = [400, 402, 403, 404, 409, 424, 429, 500, 503, undefined];
  expect(statuses.filter((status) => isStopRetried(failure(status)))).toEqual([
    409,
    429,
    500,
    503,
    undefined,
  ]);
});

it('waits with full jitter, doubling up to 20 s', () => {
  const most = Array.from({ length: 8 }, (_, index) => retryDelayMs(failure(503), index + 1, () => 1));
  expect(most).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
  expect(retryDelayMs(failure(503), 8, () => 0)).toBe(0);
  expect(retryDelayMs(failure(503), 5_000, () => 1)).toBe(20_000);
});

it('waits no longer than 2 s after a 429, for the lane waits, too', () => {
  const most = Array.from({ length: 4 }, (_, index) => retryDelayMs(failure(429), index + 1, () => 1));
  expect(most).toEqual([500, 1_000, 2_000, 2_000]);
});

it('waits for as long as the service asks, up to a minute, and a little more', () => {
  expect(retryDelayMs(failure(429, 3_000), 1, () => 0)).toBe(3_000);
  expect(retryDelayMs(failure(429, 3_000), 1, () => 0.5)).toBe(3_250);
  expect(retryDelayMs(failure(429, 3_600_000), 1, () => 0)).toBe(60_000);
});
