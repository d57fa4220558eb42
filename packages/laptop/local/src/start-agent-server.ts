import { Agent } from 'node:http';
import { refuseOption, Semaphore } from '@art/ground';
import {
  type AgentRuntime,
  classifyRuntimeFailure,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
} from '@art/protocol';
import { callRuntime } from './http/call-runtime.ts';
import type { LocalAgentOptions } from './local-runtime-options.ts';
import { loopbackHost, sessionEnvironment } from './process/session-environment.ts';
import { ProcessGuard } from './process/process-guard.ts';
import { startAgentProcess } from './process/start-agent-process.ts';
import { resolveOptions } from './resolve-options.ts';

export interface AgentServerOptions extends LocalAgentOptions {
  /** Where its log goes. */
  logDir: string;
  /** Longest time to the first healthy ping. @default 120_000 */
  initTimeoutMs?: number | undefined;
  /** From SIGTERM to SIGKILL. @default 10_000 */
  stopGraceMs?: number | undefined;
  /** Ends the start. */
  signal?: AbortSignal | undefined;
  /**
   * `stay`: calls fail once the agent has ended. `restart`: the next call starts it again; what it was at work on fails and can be tried again.
   * @default 'stay'
   */
  whenEnded?: 'stay' | 'restart' | undefined;
}

/** One process of an agent that serves every session. */
export interface AgentServer extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  /** Resolves when it has ended by itself, with the last lines that it wrote; never with `restart`. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts an agent once, for all sessions. On AgentCore, and with `startLocalRuntime`, each session has its own machine; where
 * a rollout takes milliseconds a process for each would cost a hundred times as much. Sessions share what the process has: the
 * agent must keep nothing of one rollout for another. It ends with this process, also where that is killed.
 *
 * The openers of an agent on this machine differ in this:
 *
 * | opener                               | sessions            | when the agent ends | results                 |
 * | ------------------------------------ | ------------------- | ------------------- | ----------------------- |
 * | `art dev`                            | `startLocalRuntime` | a new process       | the local S3            |
 * | `localAgent` of `@art/eval/local`    | both                | `restart`           | files, or the session   |
 * | `art collect`, the example `learn`   | both                | `stay`, the run ends | files                  |
 * | the doctor                           | a process, watched  | a finding           | asked for by the checks |
 *
 * @throws ArtError `ART_INVALID_OPTION`; an Error with the end of its log where it does not start
 */
export async function startAgentServer(options: AgentServerOptions): Promise<AgentServer> {
  const { whenEnded = 'stay' } = options;
  if (whenEnded !== 'stay' && whenEnded !== 'restart')
    refuseOption('whenEnded', "'stay' or 'restart'", whenEnded);
  if (whenEnded === 'stay') return startOnce(options);
  const closing = new AbortController();
  const { signal } = options;
  const settings = {
    ...options,
    signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal,
  };
  let current: Promise<AgentServer> | undefined;
  const start = (): Promise<AgentServer> => {
    const started = startOnce(settings);
    current = started;
    const forget = (): void => {
      if (current === started) current = undefined;
    };
    started.then(async ({ ended }) => ended.then(forget), forget);
    return started;
  };
  const close = async (): Promise<void> => {
    closing.abort();
    await (await current?.catch(() => undefined))?.close();
  };
  const { runtime } = await start();
  return {
    runtime: {
      ...runtime,
      invoke: async (request, call) => (await (current ?? start())).runtime.invoke(request, call),
    },
    ended: new Promise(() => undefined),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function startOnce(options: AgentServerOptions): Promise<AgentServer> {
  const {
    logDir,
    signal = new AbortController().signal,
    stopGraceMs = 10_000,
    initTimeoutMs,
    whenEnded: _,
    ...given
  } = options;
  const resolved = resolveOptions({ agents: { agent: given }, s3: false, initTimeoutMs });
  const agent = resolved.agents[0]!;
  const guard = new ProcessGuard();
  const { process, port, log } = await startAgentProcess(
    {
      ...agent,
      environment: (onPort) =>
        sessionEnvironment(agent.env, onPort, {
          s3Endpoint: undefined,
          givesWay: true,
          region: resolved.region,
        }),
      guard,
      limit: new Semaphore(1),
      logDirectory: logDir,
      initTimeoutMs: resolved.initTimeoutMs,
    },
    signal,
  ).catch(async (error: unknown) => {
    await guard.close();
    throw error;
  });
  const connections = new Agent({ keepAlive: true });
  let isClosing = false;
  const ended = Promise.withResolvers<string>();
  void process.gone.then(() => {
    if (!isClosing) ended.resolve(log.tail(20).join('\n'));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await process.stop(stopGraceMs);
    connections.destroy();
    await guard.close();
  };
  return {
    runtime: {
      isLocal: true,
      invoke: (request, call) =>
        invoke(`http://${loopbackHost}:${port}${agent.invocationPath}`, connections, request, call),
      // The server outlives its sessions.
      stop: () => Promise.resolve({ kind: 'stopped' }),
    },
    ended: ended.promise,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function invoke(
  url: string,
  agent: Agent,
  request: InvokeRequest,
  options?: InvocationOptions,
): Promise<InvocationAnswer> {
  const operation = 'InvokeAgentRuntime';
  const { httpStatus, body } = await callRuntime(operation, { url, agent, ...request }, options);
  if (httpStatus === 200) return { body, sessionId: request.sessionId };
  throw classifyRuntimeFailure({ operation, httpStatus, serviceMessage: body.slice(0, 500) });
}
