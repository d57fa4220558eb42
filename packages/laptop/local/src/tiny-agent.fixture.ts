import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AgentRuntime } from '@art/protocol';
import type { JsonObject } from '@art/ground';
import { type LocalRuntimeOptions, type LocalRuntime, startLocalRuntime } from './index.ts';

/** Command of the agent in `test-agents`, started with some of its modes. */
export function tinyAgent(...modes: string[]): string[] {
  return [process.execPath, join(import.meta.dirname, 'test-agents/tiny-agent.mjs'), ...modes];
}

/** A runtime with one tiny agent named `tiny`. */
export function startTiny(
  modes: string[] = [],
  options: Partial<LocalRuntimeOptions> = {},
): Promise<LocalRuntime> {
  return startLocalRuntime({
    agents: { tiny: { command: tinyAgent(...modes) } },
    stopGraceMs: 30_000,
    s3: { autoCreateBuckets: true },
    ...options,
  });
}

export const newSessionId = (): string => randomUUID();

/** Invokes with an object and gives back the answer's object. */
export async function invokeJson(
  runtime: AgentRuntime,
  sessionId: string,
  payload: JsonObject,
): Promise<Record<string, unknown>> {
  const { body } = await runtime.invoke({ sessionId, body: JSON.stringify(payload) });
  return JSON.parse(body) as Record<string, unknown>;
}
