/**
 * Runs a call of the SDK under a signal: rejects at once with the signal's own reason, where the SDK would reject with an
 * error of its making and only from where it looks at the signal, and leaves no listener behind however the call ends.
 */
export async function withAbort<T>(
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return call(undefined);
  signal.throwIfAborted();
  const inner = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    reject(signal.reason);
    inner.abort(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([call(inner.signal), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
