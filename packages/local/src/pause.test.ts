import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pause } from './pause.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends with its time, with its signal, or at once, and leaves no timer', async () => {
  let done = 0;
  const count = async (work: Promise<void>): Promise<void> => {
    await work;
    done += 1;
  };
  const controller = new AbortController();
  void count(pause(100));
  void count(pause(1_000, controller.signal));
  await pause(0);
  await pause(50, AbortSignal.abort());
  await vi.advanceTimersByTimeAsync(99);
  expect(done).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toBe(1);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});
