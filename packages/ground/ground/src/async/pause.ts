import { type Clock, systemClock } from './clock.ts';

export interface PauseOptions {
  signal?: AbortSignal | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/**
 * Waits `delayMs` milliseconds; at once where that is not positive. Leaves neither timer nor listener behind.
 * @throws the signal's reason when it aborts first
 */
export async function pause(
  delayMs: number,
  { signal, clock = systemClock }: PauseOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  if (delayMs <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
