/**
 * Waits `ms` milliseconds; rejects with the signal's reason when it aborts. Leaves neither timer nor listener behind.
 * @param holdsProcess whether a program that has nothing else to do waits for it
 */
export async function delay(ms: number, signal: AbortSignal, holdsProcess = true): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (!holdsProcess) timer.unref();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
