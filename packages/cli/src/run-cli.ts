import type { CliContext } from './cli-context.ts';
import { type CliActions, commands } from './commands.ts';
import { createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';

type AnyCommand = () => Promise<(options: unknown, context: CliContext) => Promise<number>>;

/**
 * Runs the command line to its end.
 * @param argv what follows `art`
 * @returns the exit code, see `exitCodes`; never rejects
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let code = 0;
  const actions = Object.entries(commands as unknown as Record<string, AnyCommand>).map(([name, load]) => [
    name,
    async (options: unknown): Promise<void> => {
      const run = await load();
      code = await run(options, context);
    },
  ]);
  try {
    await createProgram(context, Object.fromEntries(actions) as CliActions).parseAsync(argv, {
      from: 'user',
    });
    return code;
  } catch (error) {
    return reportError(error, context, argv.includes('--json'));
  }
}
