/** An operation whose place in the order is fixed, and whose result comes later. A handle: it can be returned from an async function. */
export interface Submitted<T> {
  /** The same result each time. A signal ends the waiting, never the operation. */
  result(options?: { signal?: AbortSignal | undefined }): Promise<T>;
}

/** A handle on what `operation` resolves to. A failure that nobody has asked for yet is no unhandled rejection. */
export function submitted<T>(operation: Promise<T>): Submitted<T> {
  operation.catch(() => undefined);
  return {
    result: async ({ signal } = {}) => {
      if (signal === undefined) return await operation;
      signal.throwIfAborted();
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await Promise.race([operation, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
