import { type Clock, systemClock } from './clock.ts';

/** Waits for everything to settle, but no longer than `limitMs`. Never rejects, and leaves no timer. */
export async function settleWithin(
  pending: readonly Promise<unknown>[],
  limitMs: number,
  clock: Clock = systemClock,
): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(limitMs, resolve);
  await Promise.race([Promise.allSettled(pending), over]);
  cancel();
}
