import { ArtError, joinSentences, describeThrown } from '@art/ground';
import type { ResultLocation } from '../result-store.ts';
import { StoreError } from '../store-error.ts';

// What stays as it is until somebody changes rights, paths, mounts or the document; a full disk and too many open files may pass.
const lasting = new Set(['EACCES', 'EPERM', 'EROFS', 'EFBIG', 'ENAMETOOLONG', 'ENOTDIR', 'EISDIR']);

const advice: Record<string, string> = {
  EACCES: 'This process may not use that path; give its user access to the root of the store.',
  EPERM:
    'The file system refuses this, for lack of rights or because it has no hard links; choose another root.',
  EROFS: 'The file system is read-only; choose another root.',
  ENOSPC: 'The disk is full; free some space or choose another root.',
  EDQUOT: "The user's disk quota is used up; free some space or choose another root.",
  ENAMETOOLONG: 'The path is longer than this system allows; choose a shorter root, exp_id or input_id.',
  EMFILE: 'Too many open files; raise the limit (ulimit -n) or write fewer results at once.',
  ENFILE: 'Too many open files on this machine; close some.',
  ENOTDIR: 'A file is where a directory should be; the root must belong to the store alone.',
  EISDIR: 'A directory is where a file should be; the root must belong to the store alone.',
  EIO: 'The disk failed, or the bucket that is mounted there: see to the rights of the role that mounts it.',
  ENOTCONN: 'What had mounted a file system there has ended.',
};

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
    const message = joinSentences(describeThrown(error).message, advice[code]);
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
