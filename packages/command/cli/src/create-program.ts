import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Bind, CliContext } from './cli-context.ts';
import { type CommandEntry, commands } from './commands.ts';
import { hideCredentials } from './terminal/hide-credentials.ts';

/** Where no terminal says how wide it is, in characters: what a code block of the documentation's site has room for. */
const helpWidth = 76;

/**
 * The command line. Of the commands only the one that is named is loaded; of the others it knows what the help lists.
 * Nothing here reads or writes outside the context.
 * @param argv what is going to be parsed
 */
export async function createProgram(
  context: Pick<CliContext, 'stdout' | 'stderr'>,
  argv: readonly string[],
  bind: Bind,
): Promise<CommandUnknownOpts> {
  const program = new Command('art')
    .description('Run agents on a local AgentCore, send rollouts, and see what became of them.')
    .version(packageVersion(), '-V, --version')
    .helpCommand(false)
    // Commands of commands have options of the same names.
    .enablePositionalOptions()
    .addHelpText('after', '\nRun "art <command> --help" for the options and examples of a command.');
  // None of the options before a command takes a value.
  const named = argv.find((word) => !word.startsWith('-'));
  for (const entry of commands) {
    const listed = listedCommand(entry);
    const command = listed.name() === named ? (await entry.load())(bind) : listed;
    program.addCommand(command.summary(entry.summary));
  }
  const hidden = hideCredentials(argv);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride((error) => {
        error.message = hidden(error.message);
        throw error;
      })
      .configureHelp({ minWidthToWrap: helpWidth / 3 })
      .showSuggestionAfterError()
      .showHelpAfterError(`(run "${command === program ? 'art' : `art ${command.name()}`} --help" for usage)`)
      .configureOutput({
        writeOut: (text) => void context.stdout.write(text),
        writeErr: (text) => void context.stderr.write(hidden(text)),
        getOutHasColors: () => context.stdout.isTTY === true,
        getErrHasColors: () => context.stderr.isTTY === true,
        getOutHelpWidth: () => context.stdout.columns ?? helpWidth,
        getErrHelpWidth: () => context.stderr.columns ?? helpWidth,
      });
  }
  return program;
}

/** A command as far as the list of all shows it. */
export function listedCommand({ usage }: CommandEntry): CommandUnknownOpts {
  const [name, ...names] = usage.split(' ');
  const command = new Command(name).option('--json');
  return names.length === 0 ? command : command.arguments(names.join(' '));
}

function packageVersion(): string {
  // One level up from the sources as from the build.
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
