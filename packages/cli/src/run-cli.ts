import type { CliContext } from './cli-context.ts';
import { createProgram } from './create-program.ts';
import { runDev } from './dev/run-dev.ts';
import { runInvoke } from './invoke/run-invoke.ts';
import { reportError } from './report-error.ts';

/**
 * Runs the command line to its end.
 * @param argv what follows `art`
 * @returns the exit code, see `exitCodes`; never rejects
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let code = 0;
  const program = createProgram(context, {
    dev: async (options) => {
      code = await runDev(options, context);
    },
    invoke: async (options) => {
      code = await runInvoke(options, context);
    },
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, context, argv.includes('--json'));
  }
}
