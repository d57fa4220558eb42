import { ArtError } from '@art/protocol';

/** Runs a command and sets the exit code: what it returns, 2 for wrong options, 1 for any other failure. */
export async function runCommand(main: (args: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // What a user can mend is told in one line; anything else needs its stack.
    const isKnown = ArtError.isInstance(error);
    process.stderr.write(`${isKnown ? error.message : (error as Error).stack}\n`);
    process.exitCode = isKnown && error.code === 'ART_INVALID_OPTION' ? 2 : 1;
  }
}
