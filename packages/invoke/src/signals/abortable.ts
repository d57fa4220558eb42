/**
 * Waits for `work`, but no longer than until `signal` aborts; then rejects with the signal's reason.
 * For work that cannot be aborted, or not at every moment: the SDK does not look at its signal while it loads credentials.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
