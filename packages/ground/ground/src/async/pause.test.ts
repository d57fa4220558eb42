import { expect, it } from 'vitest';
import { pause } from './pause.ts';
import { ManualClock } from '../testing/manual-clock.ts';

it('waits as long as it was told', async () => {
  const clock = new ManualClock();
  let isOver = false;
  const paused = pause(100, { clock }).then(() => (isOver = true));
  clock.advance(99);
  await Promise.resolve();
  expect(isOver).toBe(false);
  clock.advance(1);
  await paused;
  expect(isOver).toBe(true);
});

it('is over at once where there is nothing to wait for', async () => {
  const clock = new ManualClock();
  await pause(0, { clock });
  expect(clock.timers).toBe(0);
});

it('ends with the reason of its signal, and leaves no timer', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const paused = pause(100, { clock, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(paused).rejects.toThrow('enough');
  expect(clock.timers).toBe(0);
});

it('does not begin where the signal has aborted', async () => {
  const clock = new ManualClock();
  await expect(pause(0, { clock, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});
