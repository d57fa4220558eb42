import { Writable } from 'node:stream';
import { MemoryResultStore } from '@art/store';
import { AgentCoreRLApp } from './agentcore-rl-app.ts';
import type { AgentCoreRLAppOptions } from './app-options.ts';
import type { RequestSchema } from './handler/request-schema.ts';

/** An app on a memory store whose log lines can be read. */
export interface TestApp {
  app: AgentCoreRLApp;
  store: MemoryResultStore;
  lines: Record<string, unknown>[];
  /** The stored document, or undefined. */
  stored: (key: string) => Promise<Record<string, unknown> | undefined>;
}

export function testApp<
  R extends RequestSchema | undefined = undefined,
  I extends RequestSchema | undefined = undefined,
>(options: AgentCoreRLAppOptions<R, I> = {}): TestApp {
  const store = new MemoryResultStore();
  const { lines, stream } = lineCollector();
  const app = new AgentCoreRLApp({
    resultStore: store,
    ...options,
    config: { ...options.config, logging: { level: 'debug', options: { stream } } },
  });
  const stored = async (key: string): Promise<Record<string, unknown> | undefined> => {
    const text = await store.get({ bucket: 'results', key });
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  };
  return { app, store, lines, stored };
}

export function lineCollector(): { lines: Record<string, unknown>[]; stream: Writable } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) {
        if (line !== '') lines.push(JSON.parse(line) as Record<string, unknown>);
      }
      done();
    },
  });
  return { lines, stream };
}

export const sessionId = '0a1b2c3d-0000-4000-8000-000000000001';
export const sessionHeader = { 'x-amzn-bedrock-agentcore-runtime-session-id': sessionId };
export const target = { exp_id: 'exp1', input_id: 'in1', s3_bucket: 'results' };
export const resultKey = `exp1/in1/${sessionId}.json`;

/** `POST /invocations` as the platform sends it. */
export function invocation(
  payload: unknown,
  headers: Record<string, string> = sessionHeader,
): { method: 'POST'; url: string; headers: Record<string, string>; payload: string } {
  return { method: 'POST', url: '/invocations', headers, payload: JSON.stringify(payload) };
}

/** The payload of a RIP request. */
export function rip(
  operation: 'start' | 'get',
  id: string,
  payload: object = {},
  background?: boolean,
): object {
  const envelope = {
    version: 1,
    operation,
    invocation_id: id,
    ...(background !== undefined && { background }),
  };
  return { ...payload, _agentcore_runtime: envelope };
}

/** A handler that throws this, which need not be an error: handlers in plain JavaScript throw anything. */
export function throwing(value: unknown): () => never {
  return () => {
    throw value as Error;
  };
}
