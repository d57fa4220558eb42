import { ArtError, RuntimeError } from '@art/protocol';

/** What a runtime throws may be anything. */
export function asArtError(error: unknown): ArtError {
  if (ArtError.isInstance(error)) return error;
  return new RuntimeError({
    code: 'ART_RUNTIME_UNAVAILABLE',
    delivery: 'unknown',
    message: `The runtime threw something that is no RuntimeError: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  });
}
