import type { CliContext } from './cli-context.ts';
import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';

/**
 * Runs the command line to its end.
 * @param argv what follows `art`
 * @returns the exit code, see `exitCodes`; never rejects
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let code = 0;
  try {
    const program = await createProgram(context, argv, (run) => async (options) => {
      code = await run(options, context);
    });
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, context, argv.includes('--json'));
  }
}
