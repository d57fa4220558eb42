import { type Clock, systemClock } from './clock.ts';

export interface CallBounds {
  /** Ends the call with its reason. */
  signal?: AbortSignal | undefined;
  /** Longest that the call may take. @default no limit */
  timeoutMs?: number | undefined;
  /** The error of a call whose time is up. @default an Error that names the time */
  timeoutError?: ((timeoutMs: number) => Error) | undefined;
  /** @default the real clock */
  clock?: Clock | undefined;
}

/**
 * Runs a call that ends when its time is up or its signal aborts, also where the call itself looks at neither: it gets a signal
 * of its own, and what it comes to afterwards is dropped. Leaves neither timer nor listener behind.
 * @throws what `call` throws; the signal's reason; the time-out's error
 */
export async function callWithin<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { signal, timeoutMs, timeoutError = noAnswer, clock = systemClock }: CallBounds,
): Promise<T> {
  signal?.throwIfAborted();
  const inner = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    // First, since the call may answer the abort at once with its own error making.
    reject(reason);
    inner.abort(reason);
  };
  const onAbort = (): void => end(signal?.reason);
  const cancel =
    timeoutMs === undefined ? undefined : clock.after(timeoutMs, () => end(timeoutError(timeoutMs)));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([call(inner.signal), ended]);
  } finally {
    cancel?.();
    signal?.removeEventListener('abort', onAbort);
  }
}

function noAnswer(timeoutMs: number): Error {
  return new Error(`No answer within ${timeoutMs} ms`);
}
