import type { Clock } from '@art/ground';
import type { Rollout } from '../lifecycle/rollout.ts';

export interface RolloutWait {
  clock: Clock;
  /** Ends the rollout as timed out. @default no limit */
  timeoutMs?: number | undefined;
  /** Ends the rollout as cancelled. */
  signal?: AbortSignal | undefined;
}

/** Waits for something of a rollout that somebody in this process wants: it stays alive until then. */
export async function waitForRollout<T>(
  rollout: Rollout,
  wanted: Promise<T>,
  { clock, timeoutMs, signal }: RolloutWait,
): Promise<T> {
  const release = keepAlive();
  const onAbort = (): void => rollout.cancel(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const cancelDeadline =
    timeoutMs === undefined ? undefined : clock.after(timeoutMs, () => rollout.expire(timeoutMs));
  try {
    return await wanted;
  } finally {
    cancelDeadline?.();
    signal?.removeEventListener('abort', onAbort);
    release();
  }
}

/**
 * Keeps the process alive until the returned function is called. The engine's own timers never do: a rollout that
 * nobody waits for must not hold a finished program open.
 */
export function keepAlive(): () => void {
  const timer = setInterval(() => undefined, 1_000_000_000);
  return () => clearInterval(timer);
}
