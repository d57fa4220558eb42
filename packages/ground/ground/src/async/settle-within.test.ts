import { expect, it } from 'vitest';
import { settleWithin } from './settle-within.ts';
import { ManualClock } from '../testing/manual-clock.ts';

it('waits for all, failed ones too, and leaves no timer', async () => {
  const clock = new ManualClock();
  await settleWithin([Promise.resolve(), Promise.reject(new Error('x'))], 100, clock);
  expect(clock.timers).toBe(0);
});

it('waits no longer than its limit', async () => {
  const clock = new ManualClock();
  const waiting = settleWithin([new Promise(() => undefined)], 100, clock);
  clock.advance(100);
  await waiting;
  expect(clock.timers).toBe(0);
});
