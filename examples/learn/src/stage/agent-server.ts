import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type AgentRuntime,
  classifyRuntimeFailure,
  type InvocationAnswer,
  type InvocationOptions,
  type InvokeRequest,
  runtimeHeaders,
  type StopOutcome,
} from '@art/protocol';
import { freePort } from './free-port.ts';
import { ProcessGroup } from './process-group.ts';
import { untilAnswering } from './until-answering.ts';

export interface AgentServerOptions {
  storeRoot: string;
  logDir: string;
  signal: AbortSignal;
}

const agentPath = join(import.meta.dirname, '..', 'agent.ts');

/** What runs the agent, wherever it is run. */
export function agentCommand(storeRoot: string): {
  command: [string, ...string[]];
  env: Record<string, string>;
} {
  return {
    command: [process.execPath, ...process.execArgv, agentPath],
    env: { ART_RESULT_STORE: pathToFileURL(storeRoot).href },
  };
}

/**
 * One agent server for all sessions. On AgentCore, and with `--sessions processes`, each session has a machine of its own;
 * here a rollout takes a few milliseconds, which a process for each would make a second.
 */
export class AgentServer implements AgentRuntime, AsyncDisposable {
  readonly #url: string;
  readonly group: ProcessGroup;

  private constructor(url: string, group: ProcessGroup) {
    this.#url = url;
    this.group = group;
  }

  static async start({ storeRoot, logDir, signal }: AgentServerOptions): Promise<AgentServer> {
    const port = await freePort();
    const { command, env } = agentCommand(storeRoot);
    const logFile = join(logDir, 'agent.log');
    const group = new ProcessGroup({
      name: 'The agent',
      command,
      env: { ...env, PORT: String(port) },
      logFile,
    });
    try {
      await untilAnswering(`http://127.0.0.1:${port}/ping`, group, { signal, timeoutMs: 60_000 });
      return new AgentServer(`http://127.0.0.1:${port}`, group);
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  async invoke(
    { sessionId, body }: InvokeRequest,
    options: InvocationOptions = {},
  ): Promise<InvocationAnswer> {
    const operation = 'InvokeAgentRuntime';
    const { status: httpStatus, text } = await this.#post(sessionId, body, options.signal).catch(
      (cause: unknown) => {
        options.signal?.throwIfAborted();
        throw classifyRuntimeFailure({ operation, cause });
      },
    );
    if (httpStatus === 200) return { body: text, sessionId };
    throw classifyRuntimeFailure({ operation, httpStatus, serviceMessage: text });
  }

  /** The server outlives its sessions. */
  stop(): Promise<StopOutcome> {
    return Promise.resolve({ kind: 'stopped' });
  }

  async #post(
    sessionId: string,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'application/json', [runtimeHeaders.sessionId]: sessionId };
    const init = { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) };
    const answer = await fetch(`${this.#url}/invocations`, init);
    return { status: answer.status, text: await answer.text() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.group.stop();
  }
}
