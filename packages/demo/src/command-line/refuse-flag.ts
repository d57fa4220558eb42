import { refuseOption } from '@art/protocol';

/** Refuses what was given for a flag. @throws ArtError `ART_INVALID_OPTION`, always */
export function refuseFlag(name: string, expected: string, value: string | undefined): never {
  refuseOption(`--${name}`, expected, value, { advice: 'See --help.' });
}
