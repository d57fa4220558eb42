import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { silenceLimit } from './silence-limit.ts';

it('is over after silence, and not after a time in which its process was held up', async () => {
  const over = Promise.withResolvers<number>();
  silenceLimit(20, () => over.resolve(performance.now()));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  const freeMs = performance.now();
  // The clock of timers counts whole milliseconds.
  expect((await over.promise) - freeMs).toBeGreaterThan(18);
});

it('is never over once it was cancelled', async () => {
  const onOver = vi.fn();
  silenceLimit(1, onOver).cancel();
  await delay(10);
  expect(onOver).not.toHaveBeenCalled();
});
