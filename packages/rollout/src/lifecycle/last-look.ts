import type { ResultLocation, ResultStore } from '@art/store';
import type { Clock } from '../clock.ts';

// It must not outlive its use: the deadline has already passed.
const lastLookMs = 5_000;

/** Reads a result that may have come at the last moment; undefined where there is none, or the store does not say. */
export async function lastLook(
  at: ResultLocation,
  { store, clock }: { store: ResultStore; clock: Clock },
): Promise<string | undefined> {
  const late = new AbortController();
  const cancel = clock.after(lastLookMs, () => late.abort(new Error('the last look took too long')));
  try {
    return await store.get(at, { signal: late.signal });
  } catch {
    // The deadline is what the caller learns; a store that fails as well would have been reported by the watcher.
    return undefined;
  } finally {
    cancel();
  }
}
