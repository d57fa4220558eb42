import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../pacing/fake-runtime.fixture.ts';
import { isStopRetried } from './retry-rules.ts';
import { retrying } from './retrying.ts';

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
