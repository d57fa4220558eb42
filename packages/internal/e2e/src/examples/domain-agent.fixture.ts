import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BatchItem, RolloutClient } from '@art/client';
import { startGateway } from '@art/gateway';
import { type MockReply, type MockRequest, startMockModel } from '@art/mock-model';
import type { AgentRuntime } from '@art/protocol';
import { eventually } from '@art/tooling/eventually';

/** An agent of examples/ in a process, with a gateway before a model that is a script. */
export interface DomainAgent {
  readonly process: ChildProcess;
  /** Where its temporary files are; removed with it. */
  readonly temporaryFolder: string;
  /** A batch of rollouts, in the order of the payloads; none is tried again. `requests` is what the model was asked. */
  rollouts(
    payloads: readonly object[],
    reply: MockReply,
  ): Promise<{ items: BatchItem[]; requests: MockRequest[] }>;
  /** Asks the agent as a user. Its model is the one of `OPENAI_BASE_URL`. */
  ask(sessionId: string, payload: object, reply: MockReply): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * One process for all rollouts of a test file: the local runtime would start one for each, a second of processor time every
 * time.
 * @param file the agent's
 * @param env of the agent, made with the address of the model
 */
export async function startDomainAgent(
  file: string,
  env: (modelUrl: string) => Record<string, string> = () => ({}),
): Promise<DomainAgent> {
  await using stack = new AsyncDisposableStack();
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'art-domain-'));
  stack.defer(() => rm(temporaryFolder, { recursive: true, force: true, maxRetries: 10 }));
  let requests: MockRequest[] = [];
  let reply: MockReply = () => '';
  const model = await startMockModel({
    reply: (request) => {
      requests.push(request);
      return reply(request);
    },
  });
  stack.defer(() => model.close());
  const gateway = await startGateway({ port: 0, logLevel: 'error', workers: [{ url: model.baseUrl }] });
  stack.defer(() => gateway.close());
  const agent = spawn(process.execPath, ['--conditions=@art/source', file], {
    env: {
      ...process.env,
      PORT: '0',
      ART_HOST: '127.0.0.1',
      TMPDIR: temporaryFolder,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'none',
      ...env(model.baseUrl),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(() => void agent.kill('SIGKILL'));
  let log = '';
  agent.stdout.setEncoding('utf8').on('data', (part: string) => (log += part));
  const url = await eventually(() => {
    const [, address] = /Server listening at (http:\/\/[\d.:]+)/.exec(log) ?? [];
    if (address === undefined) throw new Error(`The agent does not listen: ${log}`);
    return address;
  });
  const client = new RolloutClient({
    runtime: oneProcess(url),
    gateway: { url: gateway.url },
    modelId: 'script',
  });
  stack.defer(() => client.close());
  const held = stack.move();
  return {
    process: agent,
    temporaryFolder,
    rollouts: async (payloads, script) => {
      requests = [];
      reply = script;
      const batch = client.runBatch(payloads as Record<string, unknown>[], {
        maxConcurrentSessions: 4,
        timeoutMs: 100_000,
        retry: { lost: 0, infra_error: 0 },
      });
      const items = (await Array.fromAsync(batch)).toSorted((a, b) => a.index - b.index);
      return { items, requests };
    },
    ask: async (sessionId, payload, script) => {
      reply = script;
      return JSON.parse(await invoke(url, sessionId, JSON.stringify(payload))) as Record<string, unknown>;
    },
    close: () => held.disposeAsync(),
  };
}

function oneProcess(url: string): AgentRuntime {
  return {
    isLocal: true,
    invoke: async ({ sessionId, body }, { signal } = {}) => ({
      body: await invoke(url, sessionId, body, signal),
    }),
    stop: () => Promise.resolve({ kind: 'stopped' }),
  };
}

async function invoke(url: string, sessionId: string, body: string, signal?: AbortSignal): Promise<string> {
  const headers = { 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId };
  const init = { method: 'POST', headers, body, signal: signal ?? null };
  return (await fetch(`${url}/invocations`, init)).text();
}
