import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mostInWindow } from './fake-runtime.fixture.ts';
import { LocalGrants } from './local-grants.ts';
import { paceOf } from './pace.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Every timer fires late, as on a machine that is busy: 0 to 7 ms, now and then 25. */
function fireTimersLate(): void {
  const inTime = globalThis.setTimeout;
  let timers = 0;
  const late = (callback: () => void, delayMs = 0): unknown => {
    timers += 1;
    return inTime(callback, delayMs + (timers % 23 === 0 ? 25 : (timers * 5) % 8));
  };
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
  fireTimersLate();
  const timesMs = await grantsOf(rate, 60_000);
  expect(mostInWindow(timesMs, 1_000)).toBeLessThanOrEqual(Math.ceil(rate));
  expect(timesMs.length / 60).toBeGreaterThan(rate * 0.96);
});

it('grants what was missed in a long stall no more', async () => {
  const grants = new LocalGrants(paceOf(25, 10));
  const timesMs: number[] = [];
  for (let count = 0; count < 60; count += 1) {
    const next = grants.next();
    await vi.advanceTimersByTimeAsync(count === 30 ? 700 : 45);
    await next;
    timesMs.push(performance.now());
  }
  grants.close();
  expect(mostInWindow(timesMs, 1_000)).toBeLessThanOrEqual(25);
});
