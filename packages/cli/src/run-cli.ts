import type { CliContext } from './cli-context.ts';
import { type CliActions, createProgram } from './create-program.ts';
import { reportError } from './report-error.ts';

/**
 * Runs the command line to its end.
 * @param argv what follows `art`
 * @returns the exit code, see `exitCodes`; never rejects
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let code = 0;
  // What a command needs is loaded when it is run: a gateway, an AWS SDK and a local AgentCore take their time.
  const action =
    <Options>(load: () => Promise<(options: Options, context: CliContext) => Promise<number>>) =>
    async (options: Options): Promise<void> => {
      const run = await load();
      code = await run(options, context);
    };
  const actions: CliActions = {
    dev: action(async () => (await import('./dev/run-dev.ts')).runDev),
    init: action(async () => (await import('@art/create-agent')).runInit),
    invoke: action(async () => (await import('./invoke/run-invoke.ts')).runInvoke),
    batch: action(async () => (await import('./batch/run-batch.ts')).runBatch),
    runs: action(async () => (await import('./runs/run-runs.ts')).runRuns),
    resume: action(async () => (await import('./runs/run-resume.ts')).runResume),
    stop: action(async () => (await import('./runs/run-stop.ts')).runStop),
    gc: action(async () => (await import('./runs/run-gc.ts')).runGc),
    view: action(async () => (await import('./view/run-view.ts')).runView),
    gateway: action(async () => (await import('./gateway/run-gateway.ts')).runGateway),
    mockModel: action(async () => (await import('./mock-model/run-mock-model.ts')).runMockModel),
    collect: action(async () => (await import('./collect/run-collect.ts')).runCollect),
    doctor: action(async () => (await import('./doctor/run-doctor.ts')).runDoctor),
    deploy: action(async () => (await import('./deploy/run-deploy.ts')).runDeploy),
    eval: action(async () => (await import('./eval/run-eval.ts')).runEval),
    compare: action(async () => (await import('./eval/run-compare.ts')).runCompare),
    rescore: action(async () => (await import('./eval/run-rescore.ts')).runRescore),
    ctl: action(async () => (await import('./eval/run-ctl.ts')).runCtl),
  };
  try {
    await createProgram(context, actions).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, context, argv.includes('--json'));
  }
}
