import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentRuntime, FileResultStore, RolloutClient } from '@art/client';
import { type LocalRuntime, startAgentServer, startLocalRuntime } from '@art/local';
import type { Options } from '../options.ts';
import { agentCommand } from './agent-command.ts';
import { modelId } from './stage.ts';

export interface Agents extends AsyncDisposable {
  /** A client of the agent, whose calls of the model go to a gateway. */
  clientOf(gatewayUrl: string): RolloutClient;
  maxConcurrentSessions: number;
  /** Aborts when the agent ends by itself. */
  ended: AbortSignal;
}

/** The agent, in one process or in a process for each rollout. */
export async function openAgents(
  { sessions, platformVersion }: Pick<Options, 'sessions' | 'platformVersion'>,
  logDir: string,
  signal: AbortSignal,
): Promise<Agents> {
  await using parts = new AsyncDisposableStack();
  const storeRoot = await mkdtemp(join(tmpdir(), 'art-learn-'));
  parts.defer(() => rm(storeRoot, { recursive: true, force: true, maxRetries: 10 }));
  const ended = new AbortController();
  let runtime: AgentRuntime;
  if (sessions === 'server') {
    const server = parts.use(await startAgentServer({ ...agentCommand(storeRoot), logDir, signal }));
    void server.ended.then((log) => ended.abort(new Error(`The agent ended by itself: ${log}`)));
    runtime = server.runtime;
  } else {
    runtime = parts.use(await startProcesses(storeRoot, logDir, platformVersion)).runtime('learn');
  }
  const opened = parts.move();
  return {
    clientOf: (url) => {
      const client = new RolloutClient({
        runtime,
        store: new FileResultStore({ root: storeRoot }),
        bucket: 'learn',
        expId: 'learn',
        gateway: { url, samplingParams: { temperature: 1 } },
        modelId,
      });
      return opened.use(client);
    },
    maxConcurrentSessions: sessions === 'server' ? 128 : 4 * availableParallelism(),
    ended: ended.signal,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The local AgentCore: a process for each session, some of them started ahead. */
function startProcesses(
  storeRoot: string,
  logDir: string,
  platformVersion: Options['platformVersion'],
): Promise<LocalRuntime> {
  return startLocalRuntime({
    agents: { learn: agentCommand(storeRoot) },
    logDir: join(logDir, 'sessions'),
    warmPoolSize: 2 * availableParallelism(),
    s3: false,
    platformVersion,
  });
}
