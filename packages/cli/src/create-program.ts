import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initCommand } from '@art/create-agent';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliContext } from './cli-context.ts';
import type { CliActions } from './commands.ts';
import { collectCommand } from './commands/collect-command.ts';
import { compareCommand } from './commands/compare-command.ts';
import { ctlCommand } from './commands/ctl-command.ts';
import { deployCommand } from './commands/deploy-command.ts';
import { devCommand } from './commands/dev-command.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { evalCommand } from './commands/eval-command.ts';
import { gatewayCommand } from './commands/gateway-command.ts';
import { gcCommand } from './commands/gc-command.ts';
import { invokeCommand } from './commands/invoke-command.ts';
import { mockModelCommand } from './commands/mock-model-command.ts';
import { rescoreCommand } from './commands/rescore-command.ts';
import { resumeCommand } from './commands/resume-command.ts';
import { runsCommand } from './commands/runs-command.ts';
import { stopCommand } from './commands/stop-command.ts';
import { viewCommand } from './commands/view-command.ts';

/** The command line: one file a command in `commands/`. Nothing here reads or writes outside the context. */
export function createProgram(
  context: Pick<CliContext, 'stdout' | 'stderr'>,
  actions: CliActions,
): CommandUnknownOpts {
  const program = new Command('art')
    .description('Run agents on a local AgentCore, send rollouts, and see what became of them.')
    .version(packageVersion(), '-V, --version')
    .helpCommand(false)
    .addHelpText('after', '\nRun "art <command> --help" for the options and examples of a command.');
  const commands = [
    initCommand(actions.init),
    devCommand(actions.dev),
    invokeCommand(actions.invoke, actions.batch),
    runsCommand(actions.runs),
    resumeCommand(actions.resume),
    stopCommand(actions.stop),
    gcCommand(actions.gc),
    gatewayCommand(actions.gateway),
    viewCommand(actions.view),
    mockModelCommand(actions.mockModel),
    collectCommand(actions.collect),
    doctorCommand(actions.doctor),
    deployCommand(actions.deploy),
    evalCommand(actions.eval),
    compareCommand(actions.compare),
    rescoreCommand(actions.rescore),
    ctlCommand(actions.ctl),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .showHelpAfterError(`(run "${command === program ? 'art' : `art ${command.name()}`} --help" for usage)`)
      .configureOutput({
        writeOut: (text) => void context.stdout.write(text),
        writeErr: (text) => void context.stderr.write(text),
        getOutHasColors: () => context.stdout.isTTY === true,
        getErrHasColors: () => context.stderr.isTTY === true,
      });
  }
  return program;
}

function packageVersion(): string {
  // One level up from the sources as from the build.
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
