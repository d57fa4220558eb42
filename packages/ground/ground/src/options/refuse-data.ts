import { ArtError } from '../errors/art-error.ts';

/**
 * Refuses what was given, in the words of every refusal.
 * @param got as a text
 * @throws ArtError `ART_INVALID_OPTION`, always
 */
export function refuseData(expected: string, got: string, cause?: unknown): never {
  throw new ArtError({ code: 'ART_INVALID_OPTION', message: `Expected ${expected}, got ${got}.`, cause });
}
