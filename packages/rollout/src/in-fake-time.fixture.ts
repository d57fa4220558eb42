import { vi } from 'vitest';

/** Lets fake time pass until the work has settled, 500 s of it at most. */
export async function inFakeTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const guarded = work.finally(() => (isOver = true));
  guarded.catch(() => undefined);
  for (let step = 0; step < 50_000 && !isOver; step += 1) await vi.advanceTimersByTimeAsync(10);
  if (!isOver) throw new Error('the work did not settle in 500 s of fake time');
  return guarded;
}
