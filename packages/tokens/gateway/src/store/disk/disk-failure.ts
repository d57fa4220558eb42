import { ArtError } from '@art/ground';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The error for a failed file operation. A full disk has its own error, since deleting sessions mends it. */
export function diskFailure(path: string, error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (full.has(code ?? '')) {
    return new ArtError({
      code: 'ART_GATEWAY_STORE_FULL',
      message: `Expected space on the disk for the capture store at ${path}, got ${message}. Nothing of this call was stored. Delete sessions whose captures were read, free some space, or lower maxBytes.`,
      cause: error,
    });
  }
  return new ArtError({
    code: 'ART_GATEWAY_STORE_FAILED',
    message: `The capture store failed at ${path}: ${message}. Check that the directory belongs to this process alone.`,
    cause: error,
  });
}

/** True if there was no space on the disk. A store that has reached its own bounds is another matter. */
export function isDiskFull(error: unknown): boolean {
  if (!ArtError.isInstance(error)) return false;
  return full.has((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}
