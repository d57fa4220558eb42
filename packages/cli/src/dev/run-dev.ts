import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkFaultPlan, FaultInjection } from '@art/faults';
import { agentCommand, type LocalRuntime } from '@art/local';
import { ArtError } from '@art/protocol';
import { readOptionJson } from '../arguments/read-option-file.ts';
import type { CliContext } from '../cli-context.ts';
import { connectionFolder, removeDevConnection, writeDevConnection } from '../connection/dev-connection.ts';
import { sdkEnvironment } from '../connection/sdk-environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { listenForInterrupts, untilAborted } from '../terminal/interrupts.ts';
import { openJob, type OpenJob } from '../sagemaker/open-job.ts';
import { runJob } from '../sagemaker/run-job.ts';
import { agentEnvironment } from './agent-environment.ts';
import { checkDevPaths } from './check-dev-paths.ts';
import { type DevEventListener, devEventWriter } from './dev-event-writer.ts';
import type { DevOptions } from '../commands/dev-command.ts';
import { LogFollower, namesIn } from './log-follower.ts';
import { RestartSchedule } from './restart-schedule.ts';
import { SessionMonitor } from './session-monitor.ts';
import { adaptShellEnvironment } from './shell-environment.ts';
import { startDevRuntime } from './start-dev-runtime.ts';
import { watchFiles } from './watch-files.ts';

/**
 * `art dev`: runs until it is told to end, and leaves no process, port or file behind that was not asked for.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_PORT_TAKEN` when it cannot start
 */
export async function runDev(options: DevOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  const command = agentCommand(options.agent, cwd);
  const given = agentEnvironment(options, cwd);
  checkDevPaths(options, cwd);
  const faults =
    options.faults === undefined
      ? undefined
      : new FaultInjection(checkFaultPlan(readOptionJson('--faults', options.faults, cwd), options.faults));
  const emit = devEventWriter(context, options.json);
  await using job = options.job && (await openJob(options.job, options.region, context));
  const agent = { command, env: { ...job?.env, ...given } };
  for (const message of adaptShellEnvironment(context.env, agent.env)) emit({ event: 'notice', message });
  const earlierLogs =
    options.logDir === undefined ? [] : await namesIn(join(resolve(cwd, options.logDir), options.name));

  let temporaryLogs: string | undefined;
  using interrupts = listenForInterrupts({
    signals: context.signals,
    exit: (code) => {
      if (temporaryLogs !== undefined) rmSync(temporaryLogs, { recursive: true, force: true });
      context.exit(code);
    },
  });
  const runtime = await startDevRuntime(options, { ...agent, cwd }, faults);
  // An orderly end does it by closing the runtime.
  if (options.logDir === undefined) temporaryLogs = runtime.logDir;
  const onError = (error: unknown): void => emit(errorEvent(error));
  const logs = new LogFollower({
    directory: join(runtime.logDir, options.name),
    ignored: earlierLogs,
    onLine: (line, sessionId) => emit({ event: 'log', sessionId, line }),
  });
  const monitor = new SessionMonitor({
    sessions: () => runtime.sessions(),
    endpointLog: (afterSeq) => runtime.endpointLog(afterSeq),
    injectedFaults: (afterSeq) => faults?.injected(afterSeq) ?? [],
    logs,
    emit,
    onError,
  });
  try {
    return await serve(options, context, { runtime, job, emit, ending: interrupts.signal });
  } finally {
    emit({ event: 'stopping', liveSessions: runtime.metrics().liveSessions });
    await removeDevConnection(cwd, process.pid).catch(onError);
    await runtime.close();
    await monitor.close();
    emit({ event: 'stopped' });
  }
}

interface Serving {
  runtime: LocalRuntime;
  job: OpenJob | undefined;
  emit: DevEventListener;
  ending: AbortSignal;
}

/** Everything between a started runtime and its end. @returns the exit code */
async function serve(options: DevOptions, context: CliContext, serving: Serving): Promise<number> {
  const { runtime, job, emit, ending } = serving;
  const { endpoint, logDir } = runtime;
  const { bucket, region } = options;
  const { cwd } = context;
  const agentRuntimeArn = runtime.arnOf(options.name);
  const onError = (error: unknown): void => emit(errorEvent(error));
  const schedule = new RestartSchedule({
    restart: async (files) => emit({ event: 'restart', files, endedSessions: await runtime.restart() }),
    onError,
  });
  const watch = await watchFiles({
    // Sessions that end in mid-job would be told as the agent's fault.
    choice: job === undefined ? options.watch : { kind: 'off' },
    cwd,
    ignored: [connectionFolder, options.data, options.logDir].filter((path) => path !== undefined),
    onChange: (file) => schedule.changed(file),
    onError: (error) =>
      emit({
        event: 'notice',
        message: `Not every file can be watched: ${error instanceof Error ? error.message : String(error)}. Name fewer with --watch, or use --no-watch.`,
      }),
  });
  try {
    const replaced = await writeDevConnection(cwd, {
      version: 1,
      pid: process.pid,
      endpoint,
      agentRuntimeArn,
      bucket,
      region,
    });
    if (replaced !== undefined) {
      emit({
        event: 'notice',
        message: `Another "art dev" (pid ${replaced.pid}) runs in this folder; "art invoke" goes to this one from now on.`,
      });
    }
    emit({
      event: 'ready',
      endpoint,
      agentRuntimeArn,
      bucket,
      region,
      environment: sdkEnvironment(endpoint, region),
      logDir,
      watching: watch.watching,
      faults: options.faults,
      pid: process.pid,
    });
    if (job !== undefined) return await playTrainer(options, job, serving);
    await untilAborted(ending);
    return exitCodes.ok;
  } finally {
    await watch.close();
    await schedule.close();
  }
}

async function playTrainer(
  { job: options, name, region }: DevOptions,
  job: OpenJob,
  { runtime, emit, ending }: Serving,
): Promise<number> {
  try {
    const agent = runtime.runtime(name);
    const isFit = await runJob(job, options!, { agent, region, emit, signal: ending });
    return isFit ? exitCodes.ok : exitCodes.someFailed;
  } catch (error) {
    if (ending.aborted) return exitCodes.interrupted;
    throw error;
  }
}

function errorEvent(error: unknown): { event: 'error'; code: string; message: string } {
  return {
    event: 'error',
    code: ArtError.isInstance(error) ? error.code : 'internal',
    message: error instanceof Error ? error.message : String(error),
  };
}
