import { ArtError } from '@art/ground';
import type { errorCodes } from './error-codes.ts';

/** An error of the socket into a session. */
export function reachError(code: keyof typeof errorCodes, message: string, cause?: unknown): ArtError {
  return new ArtError({ code, message, cause });
}
