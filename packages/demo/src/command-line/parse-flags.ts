import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { ArtError } from '@art/protocol';

/** The flags of a command line. @throws ArtError `ART_INVALID_OPTION` for unknown flags and stray arguments */
export function parseFlags<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): FlagValues<Options> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_OPTION',
      message: `${(cause as Error).message}. See --help.`,
      cause,
    });
  }
}

export type FlagValues<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];
