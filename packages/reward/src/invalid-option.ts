import { ArtError, describeValue } from '@art/protocol';

/** Refuses an option. @throws ArtError `ART_INVALID_OPTION`, always */
export function invalidOption(name: string, expected: string, value: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${name} to be ${expected}, got ${describeValue(value)}.`,
  });
}
