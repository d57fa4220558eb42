import { vi } from 'vitest';

const longestMs = 500_000;
const fineMs = 2_000;
/**
 * The longest real time for work without timers, such as a journal that asks the system which process holds it. It is
 * long because the machine may be busy.
 */
const longestRealMs = 60_000;
const realSetTimeout = globalThis.setTimeout;

/** Lets fake time pass until the work has settled, 500 s of it at most; in finer steps at first, as each step costs real time. */
export async function inFakeTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const guarded = work.finally(() => (isOver = true));
  guarded.catch(() => undefined);
  for (let passedMs = 0; passedMs < longestMs && !isOver;) {
    const stepMs = passedMs < fineMs ? 10 : 50;
    await vi.advanceTimersByTimeAsync(stepMs);
    passedMs += stepMs;
  }
  for (let waitedMs = 0; waitedMs < longestRealMs && !isOver; waitedMs += 10) {
    await new Promise((resolve) => void realSetTimeout(resolve, 10));
    await vi.advanceTimersByTimeAsync(50);
  }
  if (!isOver) throw new Error('the work did not settle in 500 s of fake time, nor in a minute of real time');
  return guarded;
}
