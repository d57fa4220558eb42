import { ArtError, describeThrown, fileAdvice, joinSentences } from '@art/ground';
import type { ResultLocation } from '../result-store.ts';
import { StoreError } from '../store-error.ts';

// What stays as it is until somebody changes rights, paths, mounts or the document; a full disk and too many open files may pass.
const lasting = new Set(['EACCES', 'EPERM', 'EROFS', 'EFBIG', 'ENAMETOOLONG', 'ENOTDIR', 'EISDIR']);

/** Does a file operation. @throws the signal's reason if that was the cause of a failure, otherwise a `StoreError` with advice */
export async function guarded<T>(
  operation: string,
  at: ResultLocation,
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (ArtError.isInstance(error)) throw error;
    const code = errnoOf(error) ?? '';
    const message = joinSentences(describeThrown(error).message, fileAdvice(error));
    throw new StoreError({ operation, ...at, message, retryable: !lasting.has(code), cause: error });
  }
}

/** The `code` of a system error, `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** True if an error says that nothing is at a path: no such name, or a file where a directory would be. */
export function isNotThere(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Takes an error for "nothing is there" where it says that. @throws any other */
export function undefinedIfNotThere(error: unknown): undefined {
  if (!isNotThere(error)) throw error;
}
