import { callWithin } from '@art/async';
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
export function putWithin(
  store: ResultStore,
  at: ResultLocation,
  body: string,
  { limitMs, deadline }: PutLimits,
): Promise<PutOutcome> {
  return callWithin((signal) => store.put(at, body, { ifAbsent: true, signal }), {
    signal: deadline,
    timeoutMs: limitMs,
    timeoutError: () =>
      new ArtError({
        code: 'ART_STORE_FAILED',
        message: `The store did not answer within ${limitMs} ms.`,
      }),
  });
}
