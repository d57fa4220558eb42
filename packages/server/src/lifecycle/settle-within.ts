import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for everything to settle, but no longer than `limitMs`. Never rejects, and leaves no timer. */
export async function settleWithin(pending: readonly Promise<unknown>[], limitMs: number): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled(pending), timeout]);
  timer.abort();
}
