import { ArtError } from '@art/protocol';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What to throw for a failed file operation: no space is told apart, since deleting sessions mends it. */
export function diskFailure(path: string, error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (full.has(code ?? '')) {
    return new ArtError({
      code: 'ART_GATEWAY_STORE_FULL',
      message: `Expected space on the disk for the trace store at ${path}, got ${message}. Nothing of this call was stored. Free some space, or lower maxBytes.`,
      cause: error,
    });
  }
  return new ArtError({
    code: 'ART_GATEWAY_STORE_FAILED',
    message: `The trace store failed at ${path}: ${message}. Check that the directory belongs to this process alone.`,
    cause: error,
  });
}
