import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mostInWindow } from './fake-runtime.fixture.ts';
import { LocalGrants } from './local-grants.ts';
import { paceOf } from './grant-source.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Makes timers fire late, as on a machine that is busy. */
function fireLate(lateMs: (timer: number) => number): void {
  const inTime = globalThis.setTimeout;
  let timers = 0;
  const late = (callback: () => void, delayMs = 0): unknown =>
    inTime(callback, delayMs + lateMs((timers += 1)));
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(late as never);
}

async function grantsOf(rate: number, forMs: number): Promise<number[]> {
  const grants = new LocalGrants(paceOf(rate, 10));
  const timesMs: number[] = [];
  let isOver = false;
  const taking = (async () => {
    while (!isOver) {
      await grants.next();
      timesMs.push(performance.now());
    }
  })();
  await vi.advanceTimersByTimeAsync(forMs);
  isOver = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await taking;
  grants.close();
  return timesMs;
}

it.each([1.5, 25])('keeps %d a second and its mean where timers fire late', async (rate) => {
  fireLate((timer) => (timer % 23 === 0 ? 25 : (timer * 5) % 8));
  const timesMs = await grantsOf(rate, 60_000);
  expect(mostInWindow(timesMs, 1_000)).toBeLessThanOrEqual(Math.ceil(rate));
  const gaps = timesMs.slice(1).map((at, index) => at - timesMs[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual((1_000 / rate) * 0.97);
  expect(timesMs.length / 60).toBeGreaterThan(rate * 0.85);
});
