import { afterEach } from 'vitest';
import type { GatewayOptions } from './options/gateway-options.ts';
import { startMockEngine, type MockEngine } from './mock-engine.fixture.ts';
import { type Gateway, startGateway } from './server/start-gateway.ts';

/** The parts of a test. Everything is closed after the test. */
export interface Bench {
  gateway: Gateway;
  engine: MockEngine;
  /** Calls the gateway; a body that is an object goes as JSON. */
  call(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  /** The reply's JSON. */
  json(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<unknown>;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Has something closed after the test, the last one first. */
export function closeAfterwards(close: () => Promise<void>): void {
  closers.push(close);
}

/** A mock engine that is closed after the test. */
export async function testEngine(): Promise<MockEngine> {
  const engine = await startMockEngine();
  closeAfterwards(() => engine.close());
  return engine;
}

/** A gateway in front of one mock engine. */
export async function testBench(options: GatewayOptions = {}): Promise<Bench> {
  const engine = await testEngine();
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: engine.url, flavour: 'vllm' }],
    shutdownGraceMs: 0,
    ...options,
  });
  closeAfterwards(() => gateway.close());
  const call: Bench['call'] = (path, { method, body, headers = {}, signal } = {}) => {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(gateway.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return { gateway, engine, call, json: async (path, init) => (await call(path, init)).json() };
}

/** The body of a small chat call. */
export const chatCall = { model: 'mock-model', messages: [{ role: 'user', content: 'hi' }] };
