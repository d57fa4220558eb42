import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ArtError, CleanupStack, refuseOption } from '@art/ground';
import { checkFaultPlan, FaultInjection } from '@art/local/faults';
import { agentCommand, type LocalRuntime } from '@art/local';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { adaptShellEnvironment, agentEnvironment } from '../arguments/agent-environment.ts';
import { readOptionJson } from '../arguments/read-option-file.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { connectionFolder, holdDevConnection } from '../connection/dev-connection.ts';
import { sdkEnvironment } from '../connection/sdk-environment.ts';
import { checkDevPaths } from '../dev/check-dev-paths.ts';
import { devEventWriter } from '../dev/dev-event-writer.ts';
import type { DevEvent } from '../dev/dev-event.ts';
import { declaredDev, type DevOptions } from '../dev/dev-options.ts';
import { LogFollower, namesIn } from '../dev/log-follower.ts';
import { RestartSchedule } from '../dev/restart-schedule.ts';
import { SessionMonitor } from '../dev/session-monitor.ts';
import { startDevRuntime } from '../dev/start-dev-runtime.ts';
import { watchFiles } from '../dev/watch-files.ts';
import { exitCodes } from '../exit-codes.ts';
import { errorEvent } from '../report-error.ts';
import { openJob } from '../sagemaker/open-job.ts';
import { runJob } from '../sagemaker/run-job.ts';
import type { Tell } from '../terminal/event-writer.ts';
import { serving, untilAborted } from '../terminal/interrupts.ts';

/** The command line of `art dev`. */
export function devCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runDev);
  return declaredDev().action(async (agent, flags) => {
    const ofJob = {
      '--model': flags.model,
      '--concurrency': flags.concurrency,
      '--rollout-timeout-ms': flags.rolloutTimeoutMs,
      '--rollouts-per-prompt': flags.rolloutsPerPrompt,
    };
    for (const [name, value] of Object.entries(ofJob))
      if (flags.sagemaker === undefined && value !== undefined)
        refuseOption(name, 'given together with --sagemaker', value);
    await run({ ...flags, agent });
  });
}

/**
 * `art dev`: runs until it is stopped, and leaves no process, port or file behind that was not asked for.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_PORT_TAKEN` when it cannot start
 */
export async function runDev(options: DevOptions, context: CliContext): Promise<number> {
  const { cwd } = context;
  const { name, sagemaker, logDir } = options;
  const command = agentCommand(options.agent, cwd);
  const given = agentEnvironment(options, cwd);
  checkDevPaths(options, cwd);
  const faults =
    options.faults === undefined
      ? undefined
      : new FaultInjection(checkFaultPlan(readOptionJson('--faults', options.faults, cwd), options.faults));
  const emit = devEventWriter(context, options.json);
  const onError = (error: unknown): void => emit(errorEvent(error));
  let temporaryLogs: string | undefined;
  const ending = {
    signals: context.signals,
    exit: (code: number) => {
      if (temporaryLogs !== undefined) rmSync(temporaryLogs, { recursive: true, force: true });
      context.exit(code);
    },
  };
  return serving(ending, async ({ signal }) => {
    await using parts = new CleanupStack();
    const job =
      sagemaker === undefined ? undefined : await openJob({ ...options, sagemaker }, context, parts);
    const env = { ...job?.env, ...given };
    for (const message of adaptShellEnvironment(context.env, env)) emit({ event: 'notice', message });
    const earlierLogs = logDir === undefined ? [] : await namesIn(join(resolve(cwd, logDir), name));

    const runtime = await startDevRuntime(options, { command, env }, cwd, faults);
    // An orderly end does it by closing the runtime.
    if (logDir === undefined) temporaryLogs = runtime.logDir;
    const logs = new LogFollower({
      directory: join(runtime.logDir, name),
      ignored: earlierLogs,
      onLine: (line, sessionId) => emit({ event: 'log', sessionId, line }),
    });
    const monitor = new SessionMonitor({ runtime, faults, logs, emit, onError });
    parts.defer(async () => {
      emit({ event: 'stopping', liveSessions: runtime.metrics().liveSessions });
      await runtime.close();
      await monitor.close();
      emit({ event: 'stopped' });
    });
    const schedule = new RestartSchedule({
      restart: async (files) => emit({ event: 'restart', files, endedSessions: await runtime.restart() }),
      onError,
    });
    parts.defer(() => schedule.close());
    const watch = await watchFiles({
      // Sessions that end in mid-job would be told as the agent's fault.
      paths: job === undefined ? options.watch : false,
      cwd,
      ignored: [connectionFolder, options.data, logDir].filter((path) => path !== undefined),
      onChange: (file) => schedule.changed(file),
      onError: (error) =>
        emit({
          event: 'notice',
          message: `Not every file can be watched: ${errorEvent(error).message}. Name fewer with --watch, or use --no-watch.`,
        }),
    });
    parts.defer(() => watch.close());
    await announce(runtime, watch.watching, options, cwd, parts, emit);

    if (job === undefined) {
      await untilAborted(signal);
      return exitCodes.ok;
    }
    try {
      const isFit = await runJob(job, runtime.runtime(name), options, emit, signal);
      return isFit ? exitCodes.ok : exitCodes.someFailed;
    } catch (error) {
      if (signal.aborted) return exitCodes.interrupted;
      throw error;
    }
  });
}

/** Tells people, and the commands that are run in this folder, where it is. */
async function announce(
  runtime: LocalRuntime,
  watching: string[],
  { name, bucket, region, faults }: DevOptions,
  cwd: string,
  parts: CleanupStack,
  emit: Tell<DevEvent>,
): Promise<void> {
  const { endpoint, logDir } = runtime;
  const { pid } = process;
  const place = { endpoint, agentRuntimeArn: runtime.arnOf(name), bucket, region };
  try {
    parts.use(await holdDevConnection(cwd, place));
  } catch (error) {
    if (!ArtError.isInstance(error) || error.code !== 'ART_FOLDER_HELD') throw error;
    emit({ event: 'notice', message: error.message });
  }
  const environment = sdkEnvironment(endpoint, region);
  emit({ event: 'ready', ...place, environment, logDir, watching, faults, pid });
}
