import { Agent } from 'node:http';
import { Semaphore } from '@art/ground';
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
}

/** One process of an agent that serves every session. */
export interface AgentServer extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  /** Resolves when it has ended by itself, with the last lines that it wrote. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts an agent once, for all sessions. On AgentCore, and with `startLocalRuntime`, each session has a machine of its own; where
 * a rollout takes milliseconds a process for each would cost a hundred times as much. Sessions share what the process has: the
 * agent must keep nothing of one rollout for another. It ends with this process, also where that is killed.
 * @throws ArtError `ART_INVALID_OPTION`; an Error with the end of its log where it does not start
 */
export async function startAgentServer(options: AgentServerOptions): Promise<AgentServer> {
  const {
    logDir,
    signal = new AbortController().signal,
    stopGraceMs = 10_000,
    initTimeoutMs,
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
