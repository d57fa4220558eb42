import { expect, it, vi } from 'vitest';
import { askPatiently } from './ask-patiently.ts';
import { ManualClock } from '../testing/index.ts';

const silent = (): Promise<never> => new Promise(() => undefined);

/** Moves time on, second by second, until the answer is there or an hour has passed. */
async function inTime<T>(clock: ManualClock, answer: Promise<T>): Promise<T> {
  let isOver = false;
  answer.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (let second = 0; second < 3_600 && !isOver; second += 1) {
    clock.advance(1_000);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return answer;
}

it('asks again when no answer comes, and with more patience each time', async () => {
  const clock = new ManualClock();
  const startedMs = clock.nowMs();
  const asks: number[] = [];
  const answer = askPatiently(
    () => {
      asks.push(clock.nowMs() - startedMs);
      return asks.length < 3 ? silent() : Promise.resolve('there');
    },
    { clock },
  );
  expect(await inTime(clock, answer)).toBe('there');
  expect(asks).toEqual([0, 5_000, 15_000]);
});

it('leaves errors to the caller', async () => {
  const ask = vi.fn(() => Promise.reject(new Error('denied')));
  await expect(askPatiently(ask, { clock: new ManualClock() })).rejects.toThrow('denied');
  expect(ask).toHaveBeenCalledOnce();
});

it('gives up what never answers', async () => {
  const clock = new ManualClock();
  const ask = vi.fn(silent);
  await expect(inTime(clock, askPatiently(ask, { clock }))).rejects.toThrow('within 80000 ms');
  expect(ask).toHaveBeenCalledTimes(5);
});

it('ends with its signal', async () => {
  const controller = new AbortController();
  const answer = askPatiently(silent, { clock: new ManualClock(), signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
});
