import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CollectService, serveHttp } from '@art/collect';
import { startGateway } from '@art/gateway';
import { startLocalRuntime } from '@art/local';
import { startMockModel } from '@art/mock-model';
import { startLocalJobRuntime } from '@art/server-sagemaker/local';
import { AgentCoreRLApp } from '@art/server';
import { FileResultStore } from '@art/store';
import { startLocalTrainingSessions } from '@art/training-stand-in';
import { serveView } from '@art/view';
import { HeldAgents } from '../collect/held-agents.fixture.ts';
import { scriptedAgent } from '../interop/interop-runtime.fixture.ts';

interface OpenServer {
  url: string;
  close(): Promise<void>;
}

/** Questions to a server of the workspace. */
export interface Doors {
  open(): Promise<OpenServer>;
  /** One of each group of routes, and one that is not there. */
  paths: [method: string, path: string][];
  /** True if it serves pages of its own. */
  hasPages?: boolean;
}

/** Every server that answers no page of others, by its name. */
export const servers: Record<string, Doors> = {
  gateway: {
    open: () => startGateway({ port: 0, logLevel: 'silent' }),
    paths: [
      ['GET', '/health'],
      ['GET', '/metrics'],
      ['GET', '/sessions'],
      ['POST', '/sessions'],
      ['GET', '/v1/models'],
      ['POST', '/v1/chat/completions'],
      ['POST', '/sessions/one/v1/messages'],
      ['POST', '/admin/workers'],
      ['GET', '/nothing'],
    ],
  },
  collect: {
    open: openCollect,
    paths: [
      ['GET', '/health'],
      ['POST', '/groups'],
      ['POST', '/drain'],
      ['GET', '/nothing'],
    ],
  },
  'mock model': {
    open: () => startMockModel(),
    paths: [
      ['GET', '/health'],
      ['GET', '/v1/models'],
      ['POST', '/v1/chat/completions'],
      ['GET', '/nothing'],
    ],
  },
  'local AgentCore and S3': {
    open: async () => {
      const local = await startLocalRuntime({ agents: { scripted: scriptedAgent }, warmPoolSize: 0 });
      return { url: local.endpoint, close: () => local.close() };
    },
    paths: [
      ['POST', '/runtimes/arn/invocations'],
      ['POST', '/runtimes/arn/stopruntimesession'],
      ['GET', '/_art/metrics'],
      ['GET', '/bucket/key'],
      ['PUT', '/bucket/key'],
    ],
  },
  "SageMaker's job runtime": {
    open: async () => {
      const jobs = await startLocalJobRuntime({ modelUrl: 'http://127.0.0.1:1/v1' });
      return { url: jobs.endpoint, close: jobs.close };
    },
    paths: [
      ['POST', '/v1/chat/completions'],
      ['POST', '/complete-rollout'],
      ['GET', '/nothing'],
    ],
  },
  "SageMaker's training sessions": {
    open: openTrainingSessions,
    paths: [
      ['POST', '/'],
      ['POST', '/nothing'],
    ],
  },
  view: {
    open: openView,
    hasPages: true,
    paths: [
      ['GET', '/'],
      ['GET', '/runs'],
      ['GET', '/nothing'],
    ],
  },
};

/** A developer's agent, which answers pages of this machine and looks at no Host header. */
export async function openAgent(): Promise<OpenServer> {
  const app = new AgentCoreRLApp({
    config: { logging: { enabled: false } },
    invocationHandler: { process: () => ({ answer: 42 }) },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${app.port}`, close: () => app.close() };
}

async function openCollect(): Promise<OpenServer> {
  const directory = await mkdtemp(join(tmpdir(), 'art-doors-'));
  const store = new FileResultStore({ root: join(directory, 'results') });
  const service = new CollectService({
    directory: join(directory, 'state'),
    client: { runtime: new HeldAgents(store), store, bucket: 'results' },
    gateway: { url: 'http://127.0.0.1:1' },
    maxConcurrentSessions: 1,
  });
  const server = await serveHttp({ service, port: 0 });
  const close = async (): Promise<void> => {
    await server.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: server.url, close };
}

async function openTrainingSessions(): Promise<OpenServer> {
  const directory = await mkdtemp(join(tmpdir(), 'art-doors-'));
  const shape = { vocabularySize: 8, hiddenSize: 8, intermediateSize: 8, layers: 1, heads: 1, headSize: 8 };
  const sessions = await startLocalTrainingSessions({
    directory,
    shape: { ...shape, maxContext: 8, endToken: 0 },
  });
  const close = async (): Promise<void> => {
    await sessions.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: sessions.endpoint, close };
}

async function openView(): Promise<OpenServer> {
  const directory = await mkdtemp(join(tmpdir(), 'art-doors-'));
  const file = join(directory, 'groups.jsonl');
  await writeFile(file, '{"schema":"art.group.v1","id":"g","inputId":"g","members":[]}\n');
  const view = await serveView({ folders: [file] });
  const close = async (): Promise<void> => {
    await view.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: view.url.replace(/\/$/, ''), close };
}
