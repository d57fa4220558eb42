import { ArtError, readMember } from '@art/protocol';

/**
 * What a failed write says about the next one.
 * - `passing`: the store has a bad moment; the same document may go through.
 * - `unwelcome`: this document will not be taken, however often it is tried.
 * - `unclear`: neither is known.
 */
export type StoreFailureKind = 'passing' | 'unwelcome' | 'unclear';

const unwelcomeCodes = new Set<unknown>([
  'ART_STORE_DENIED',
  'ART_STORE_NO_BUCKET',
  'ART_INVALID_BUCKET',
  'ART_INVALID_RESULT_KEY',
  'ART_INVALID_RESULT_BODY',
]);

const passingCodes = new Set<unknown>(['ART_STORE_BUSY', 'ART_STORE_NO_CREDENTIALS']);

// Error names of S3, and of Node's file system.
const tooLargeNames = new Set<unknown>([
  'EntityTooLarge',
  'MaxMessageLengthExceeded',
  'RequestEntityTooLarge',
  'EFBIG',
]);

/** Sorts the error of a store's `put`. */
export function storeFailureKind(error: unknown): StoreFailureKind {
  if (isTooLarge(error, 0)) return 'unwelcome';
  if (!ArtError.isInstance(error)) return 'unclear';
  if (unwelcomeCodes.has(error.code)) return 'unwelcome';
  return passingCodes.has(error.code) ? 'passing' : 'unclear';
}

// A driver wraps what its client threw.
function isTooLarge(error: unknown, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  if (tooLargeNames.has(readMember(error, 'name')) || tooLargeNames.has(readMember(error, 'code')))
    return true;
  if (readMember(readMember(error, '$metadata'), 'httpStatusCode') === 413) return true;
  return isTooLarge(readMember(error, 'cause'), depth + 1);
}
