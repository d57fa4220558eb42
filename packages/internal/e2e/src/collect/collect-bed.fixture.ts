import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@art/ground';
import { CollectService, type CollectServer, serveHttp, type ServeHttpOptions } from '@art/collect';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { FileResultStore } from '@art/store';
import { onTestFinished } from 'vitest';
import { type MockEngine, startMockEngine } from '../gateway/engine/mock-engine.ts';
import { HeldAgents } from './held-agents.fixture.ts';

export interface CollectBed {
  /** Notices of the sidecars to their operator. */
  notices: string[];
  agents: HeldAgents;
  engine: MockEngine;
  gateway: GatewayClient;
  directory: string;
  /** A sidecar over the same folder, as it is after a restart; with a clock of the test where one is given. */
  startSidecar(options?: Partial<ServeHttpOptions>, gatewayUrl?: string, clock?: Clock): Promise<Sidecar>;
}

export interface Sidecar {
  service: CollectService;
  server: CollectServer;
  url: string;
}

/** A gateway before an engine, agents that can be held, and sidecars. */
export async function startCollectBed(): Promise<CollectBed> {
  const directory = await mkdtemp(join(tmpdir(), 'art-collect-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const store = new FileResultStore({ root: join(directory, 'results') });
  const agents = new HeldAgents(store);
  onTestFinished(() => agents.close());
  const engine = await startMockEngine({
    flavour: 'vllm',
    answer: (_request, callNumber) => ({ content: `This is answer ${callNumber}.` }),
  });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: engine.url, flavour: 'vllm' }],
  });
  onTestFinished(() => gateway.close());
  const notices: string[] = [];
  return {
    notices,
    agents,
    engine,
    gateway: new GatewayClient({ url: gateway.url }),
    directory,
    startSidecar: async (options = {}, gatewayUrl = gateway.url, clock?) => {
      const service = new CollectService({
        directory: join(directory, 'state'),
        client: { runtime: agents, store, bucket: 'results', watch: { lagBoundMs: 20 }, clock },
        gateway: { url: gatewayUrl },
        maxConcurrentSessions: 8,
        heartbeatMs: 200,
        onNotice: (message) => notices.push(message),
      });
      onTestFinished(() => service.close());
      const server = await serveHttp({ service, port: 0, ...options });
      onTestFinished(() => server.close());
      return { service, server, url: server.url };
    },
  };
}

/** A line of the stream. */
export interface CollectEvent {
  event: string;
  id: string;
  index: number;
  code?: string;
  [field: string]: unknown;
}

/** Sends a request and gives its lines; leaving the loop hangs up. */
export async function* collect(url: string, body: object): AsyncGenerator<CollectEvent, void, undefined> {
  const hangUp = new AbortController();
  try {
    const answer = await fetch(`${url}/groups`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: hangUp.signal,
    });
    let rest = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as CollectEvent;
    }
  } finally {
    hangUp.abort();
  }
}

export async function call(url: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
