import { ArtError, describeValue } from '@art/protocol';

/**
 * Refuses an option.
 * @param expected what it has to be, as the end of a sentence
 * @throws ArtError `ART_INVALID_OPTION` that names the option, what was expected and what came
 */
export function refuseOption(name: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected \`${name}\` to be ${expected}, got ${describeValue(got)}.`,
  });
}
