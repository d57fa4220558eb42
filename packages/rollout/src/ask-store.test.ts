import { backgroundClock } from '@art/async';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askStore } from './ask-store.ts';
import { inFakeTime } from './in-fake-time.fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

it('asks again when no answer comes, and with more patience each time', async () => {
  const startedMs = Date.now();
  const asks: number[] = [];
  const answer = askStore((signal) => {
    asks.push(Date.now() - startedMs);
    return asks.length < 3 ? silent(signal) : Promise.resolve('there');
  }, backgroundClock);
  expect(await inFakeTime(answer)).toBe('there');
  expect(asks).toEqual([0, 5_000, 15_000]);
  expect(vi.getTimerCount()).toBe(0);
});

it('leaves errors to the caller', async () => {
  const ask = vi.fn(() => Promise.reject(new Error('denied')));
  await expect(askStore(ask, backgroundClock)).rejects.toThrow('denied');
  expect(ask).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('gives up a store that never answers', async () => {
  const ask = vi.fn(silent);
  await expect(inFakeTime(askStore(ask, backgroundClock))).rejects.toThrow('did not answer within 80000 ms');
  expect(ask).toHaveBeenCalledTimes(5);
});

it('ends with its signal', async () => {
  const controller = new AbortController();
  const answer = askStore(silent, backgroundClock, controller.signal);
  controller.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});
