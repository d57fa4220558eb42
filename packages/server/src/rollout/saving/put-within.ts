import { ArtError } from '@art/protocol';
import type { PutOutcome, ResultLocation, ResultStore } from '@art/store';

export interface PutLimits {
  /** Longest that one write may take. */
  limitMs: number;
  /** Aborts when no time is left at all. */
  deadline: AbortSignal;
}

/**
 * Writes a document where there is none. Rejects when the store takes too long, also where it ignores its signal: a write
 * that never ends would keep the session busy for hours. The late end of such a write changes nothing, since of two
 * documents the first one stays.
 */
export async function putWithin(
  store: ResultStore,
  at: ResultLocation,
  body: string,
  { limitMs, deadline }: PutLimits,
): Promise<PutOutcome> {
  const controller = new AbortController();
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    controller.abort(reason);
    reject(reason);
  };
  const timer = setTimeout(() => {
    end(
      new ArtError({
        code: 'ART_STORE_FAILED',
        message: `The store did not answer within ${limitMs} ms.`,
      }),
    );
  }, limitMs);
  const onDeadline = (): void => end(deadline.reason);
  deadline.addEventListener('abort', onDeadline, { once: true });
  try {
    deadline.throwIfAborted();
    const put = store.put(at, body, { ifAbsent: true, signal: controller.signal });
    // Where the race is lost, nobody else listens to its end.
    put.catch(() => undefined);
    return await Promise.race([put, cut]);
  } finally {
    clearTimeout(timer);
    deadline.removeEventListener('abort', onDeadline);
  }
}
