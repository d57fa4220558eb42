import { callWithin, type Clock } from '@art/async';
import type { ResultLocation, ResultStore } from '@art/store';

/** What a last look at the store found: the result, certainly none, or that the store does not say. */
export type LastLook =
  | { kind: 'found'; text: string }
  | { kind: 'nothing' }
  | { kind: 'failed'; error: unknown };

// It must not outlive its use: the deadline has already passed.
const lastLookMs = 5_000;

/** Reads a result that may have come at the last moment. Never rejects. */
export function lastLook(
  at: ResultLocation,
  { store, clock }: { store: ResultStore; clock: Clock },
): Promise<LastLook> {
  const timeoutError = (): Error => new Error(`it did not answer within ${lastLookMs} ms`);
  return callWithin((signal) => store.get(at, { signal }), {
    clock,
    timeoutMs: lastLookMs,
    timeoutError,
  }).then(
    (text) => (text === undefined ? { kind: 'nothing' } : { kind: 'found', text }),
    (error: unknown) => ({ kind: 'failed', error }),
  );
}
