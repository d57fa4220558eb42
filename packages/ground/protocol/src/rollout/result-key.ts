import { ArtError, describeValue } from '@art/ground';

/** The parts of a result key. `expId` and `inputId` may contain slashes, `sessionId` may not. */
export interface ResultKeyParts {
  expId: string;
  inputId: string;
  sessionId: string;
}

/** Longest key that S3 accepts, in bytes of UTF-8. */
export const maxResultKeyBytes = 1_024;

/**
 * The key under which a rollout's result is stored: `{exp_id}/{input_id}/{session_id}.json`.
 * @throws ArtError `ART_INVALID_RESULT_KEY`
 */
export function buildResultKey(parts: ResultKeyParts): string {
  checkPart('exp_id', parts.expId);
  checkPart('input_id', parts.inputId);
  checkPart('session_id', parts.sessionId);
  if (parts.sessionId.includes('/')) refuse('session_id', parts.sessionId, 'no slash');
  const key = `${parts.expId}/${parts.inputId}/${parts.sessionId}.json`;
  const bytes = Buffer.byteLength(key);
  if (bytes > maxResultKeyBytes) {
    throw new ArtError({
      code: 'ART_INVALID_RESULT_KEY',
      message: `Expected a result key of at most ${maxResultKeyBytes} bytes, got ${bytes}: shorten exp_id (${Buffer.byteLength(parts.expId)} bytes) or input_id (${Buffer.byteLength(parts.inputId)} bytes).`,
    });
  }
  return key;
}

function checkPart(name: string, value: string): void {
  if (typeof value !== 'string' || value === '') refuse(name, value, 'a non-empty string');
  // A key must be storable as UTF-8 and safe as a path and as a header: no control characters, no unpaired surrogates.
  if (/[\u0000-\u001f\u007f]/.test(value)) refuse(name, value, 'no control characters');
  if (!value.isWellFormed()) refuse(name, value, 'well-formed Unicode');
  for (const segment of value.split('/')) {
    if (segment === '') refuse(name, value, 'no empty part between slashes and no slash at either end');
    if (segment === '.' || segment === '..') refuse(name, value, 'no "." or ".." between slashes');
  }
}

function refuse(name: string, value: unknown, expected: string): never {
  throw new ArtError({
    code: 'ART_INVALID_RESULT_KEY',
    message: `Expected ${name} to be ${expected.startsWith('a ') ? expected : `text with ${expected}`}, got ${describeValue(value)}.`,
  });
}
