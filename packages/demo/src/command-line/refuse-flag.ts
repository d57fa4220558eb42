import { ArtError } from '@art/protocol';

/** Refuses what was given for a flag. @throws ArtError `ART_INVALID_OPTION`, always */
export function refuseFlag(name: string, expected: string, value: string | undefined): never {
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --${name} to be ${expected}, got ${got}. See --help.`,
  });
}
