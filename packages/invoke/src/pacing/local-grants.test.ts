import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mostInWindow } from './fake-runtime.fixture.ts';
import { LocalGrants } from './local-grants.ts';
import { paceOf } from './pace.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Makes timers fire late, as on a machine that is busy. */
function fireLate(lateMs: (timer: number, delayMs: number) => number): void {
  const inTime = globalThis.setTimeout;
  let timers = 0;
  const late = (callback: () => void, delayMs = 0): unknown =>
    inTime(callback, delayMs + lateMs((timers += 1), delayMs));
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

it.each([1.5, 25, 99])('keeps %d a second and its mean where timers fire late', async (rate) => {
  fireLate((timer) => (timer % 23 === 0 ? 90 : (timer * 5) % 8));
  const timesMs = await grantsOf(rate, 60_000);
  expect(mostInWindow(timesMs, 1_000)).toBeLessThanOrEqual(Math.ceil(rate));
  expect(timesMs.length / 60).toBeGreaterThan(rate * 0.96);
});

/** Holds one of the waits between two grants up for 700 ms. */
function oneStall(): (timer: number, delayMs: number) => number {
  let isOver = false;
  return (timer, delayMs) => {
    if (isOver || timer < 100 || delayMs < 10 || delayMs > 100) return 0;
    isOver = true;
    return 700;
  };
}

it('gives back a quarter of a second of a long stall, within the rate', async () => {
  fireLate(oneStall());
  const timesMs = await grantsOf(25, 10_000);
  expect(mostInWindow(timesMs, 1_000)).toBeLessThanOrEqual(25);
  // 250 ms are 6 grants; before them comes the late one, and after them the one that bottleneck has due.
  expect(mostInWindow(timesMs, 30)).toBe(8);
});

it('gives nothing back for the time in which nobody asked', async () => {
  fireLate(oneStall());
  const grants = new LocalGrants(paceOf(25, 10));
  const timesMs: number[] = [];
  const take = async (): Promise<number> => {
    await grants.next();
    timesMs.push(performance.now());
    return timesMs.at(-1)! - (timesMs.at(-2) ?? Infinity);
  };
  const taking = (async () => {
    while ((await take()) < 500);
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let count = 0; count < 10; count += 1) await take();
  })();
  await vi.advanceTimersByTimeAsync(20_000);
  await taking;
  grants.close();
  expect(mostInWindow(timesMs, 30)).toBe(1);
});
