export interface CallLimits {
  /** Ends the call at once; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The call fails after this time: a connection may die without a word, and the SDK would wait for ever. */
  timeoutMs: number;
}

/** Runs a call of the SDK that ends in time, and leaves neither timer nor listener behind. */
export async function limitedCall<T>(
  { signal, timeoutMs }: CallLimits,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const inner = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    reject(reason);
    inner.abort(reason);
  };
  const onAbort = (): void => end(signal?.reason);
  const timer = setTimeout(() => end(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([call(inner.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
