import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initCommand, type InitOptions } from '@art/create-agent';
import { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import type { BatchRunOptions } from './batch/batch-options.ts';
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
import type { CollectOptions } from './collect/collect-options.ts';
import type { DeployOptions } from './deploy/deploy-options.ts';
import type { DevOptions } from './dev/dev-options.ts';
import type { DoctorOptions } from './doctor/doctor-options.ts';
import type { CompareOptions, CtlOptions, EvalOptions, RescoreRunOptions } from './eval/eval-options.ts';
import type { GatewayRunOptions } from './gateway/gateway-options.ts';
import type { InvokeOptions } from './invoke/invoke-options.ts';
import type { MockModelRunOptions } from './mock-model/run-mock-model.ts';
import type { GcOptions } from './runs/gc-options.ts';
import type { ResumeRunOptions } from './runs/resume-options.ts';
import type { RunsOptions } from './runs/runs-options.ts';
import type { StopOptions } from './runs/stop-options.ts';
import type { ViewOptions } from './view/view-options.ts';

/** What the commands do, apart from how they are written on a command line. */
export interface CliActions {
  dev: (options: DevOptions) => Promise<void>;
  init: (options: InitOptions) => Promise<void>;
  invoke: (options: InvokeOptions) => Promise<void>;
  /** `art invoke --payloads`. */
  batch: (options: BatchRunOptions) => Promise<void>;
  runs: (options: RunsOptions) => Promise<void>;
  resume: (options: ResumeRunOptions) => Promise<void>;
  stop: (options: StopOptions) => Promise<void>;
  gc: (options: GcOptions) => Promise<void>;
  gateway: (options: GatewayRunOptions) => Promise<void>;
  view: (options: ViewOptions) => Promise<void>;
  mockModel: (options: MockModelRunOptions) => Promise<void>;
  collect: (options: CollectOptions) => Promise<void>;
  doctor: (options: DoctorOptions) => Promise<void>;
  deploy: (options: DeployOptions) => Promise<void>;
  eval: (options: EvalOptions) => Promise<void>;
  compare: (options: CompareOptions) => Promise<void>;
  rescore: (options: RescoreRunOptions) => Promise<void>;
  ctl: (options: CtlOptions) => Promise<void>;
}

/** The command line: one file a command in `commands/`. Nothing here reads or writes outside the context. */
export function createProgram(context: Pick<CliContext, 'stdout' | 'stderr'>, actions: CliActions): Command {
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
