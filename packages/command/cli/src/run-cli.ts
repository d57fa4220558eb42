import type { CliContext } from './cli-context.ts';
import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';
import { startTelemetry } from './telemetry/start-telemetry.ts';

/**
 * Runs the command line to its end.
 * @param argv what follows `art`
 * @returns the exit code, see `exitCodes`; never rejects
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let code = 0;
  try {
    const program = await createProgram(context, argv, (run) => async (options) => {
      await using _ = await telemetryOf(options, argv, context);
      code = await run(options, context);
    });
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, context, argv.includes('--json'));
  }
}

/** Every command that has `--otel` gets the same for it. */
async function telemetryOf(
  options: unknown,
  argv: readonly string[],
  context: CliContext,
): Promise<AsyncDisposable | undefined> {
  const isWanted = (options as { otel?: boolean } | undefined)?.otel === true;
  return isWanted ? startTelemetry(`art ${argv.find((word) => !word.startsWith('-'))}`, context) : undefined;
}
