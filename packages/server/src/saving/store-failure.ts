import { ArtError } from '@art/protocol';
import { StoreError } from '@art/store';

/**
 * What a failed write says about the next one.
 * - `passing`: the store has a bad moment; the same document may go through.
 * - `unwelcome`: this document will not be taken, however often it is tried.
 * - `unclear`: neither is known.
 */
export type StoreFailureKind = 'passing' | 'unwelcome' | 'unclear';

// What every store refuses before it writes.
const refusals = new Set<unknown>([
  'ART_INVALID_BUCKET',
  'ART_INVALID_RESULT_KEY',
  'ART_INVALID_RESULT_BODY',
]);

// Credentials of a role come back without anybody's doing.
const passingCodes = new Set<unknown>(['ART_STORE_BUSY', 'ART_STORE_NO_CREDENTIALS']);

/** Sorts the error of a store's `put`: whether it is worth another try is for the store's driver to say. */
export function storeFailureKind(error: unknown): StoreFailureKind {
  if (!ArtError.isInstance(error)) return 'unclear';
  if (passingCodes.has(error.code)) return 'passing';
  const isLasting = StoreError.isInstance(error) ? !error.retryable : refusals.has(error.code);
  return isLasting ? 'unwelcome' : 'unclear';
}
