import { randomUUID } from 'node:crypto';
import { type LocalRuntime, startLocalRuntime } from '../start-local-runtime.ts';
import { type LocalRuntimeOptions } from '../local-runtime-options.ts';
import { RuntimeError } from '@art/protocol';
import { FaultInjection, type FaultPlan, type FaultRule } from './index.ts';

export type FaultyLocal = LocalRuntime & { faults: FaultInjection };

/** Answers with its process id; may hang, and say that it is busy. */
const agent = `
let busy = false;
require('node:http').createServer((request, response) => {
  const answer = (value) => response.end(JSON.stringify(value));
  if (request.url === '/ping') {
    answer({ status: busy ? 'HealthyBusy' : 'Healthy', time_of_last_update: 1 });
    return;
  }
  let text = '';
  request.on('data', (chunk) => (text += chunk)).on('end', () => {
    const payload = JSON.parse(text || '{}');
    if (payload.do === 'hang') return;
    if (payload.do === 'busy') busy = payload.busy;
    answer({ pid: process.pid });
  });
}).listen(process.env.PORT, '127.0.0.1');`;

/** A runtime with one agent, `tiny`, and a plan. */
export async function startWithPlan(
  plan: FaultPlan | undefined,
  options: Partial<LocalRuntimeOptions> = {},
): Promise<FaultyLocal> {
  const faults = new FaultInjection(plan);
  const agents = { tiny: { command: [process.execPath, '-e', agent] } };
  return Object.assign(
    await startLocalRuntime({
      agents,
      stopGraceMs: 30_000,
      faults,
      s3: { autoCreateBuckets: true },
      ...options,
    }),
    {
      faults,
    },
  );
}

/** The same with one rule. */
export function startFaulty(
  rule: FaultRule,
  options: Partial<LocalRuntimeOptions> = {},
): Promise<FaultyLocal> {
  return startWithPlan({ seed: 1, rules: [rule] }, options);
}

export const newSessionId = (): string => randomUUID();

/** Sends a payload to the agent and gives back its answer. */
export async function invoke(
  local: LocalRuntime,
  sessionId = newSessionId(),
  payload: object = {},
): Promise<Record<string, unknown>> {
  const { body } = await local.runtime('tiny').invoke({ sessionId, body: JSON.stringify(payload) });
  return JSON.parse(body) as Record<string, unknown>;
}

export async function failureOf(calling: Promise<unknown>): Promise<RuntimeError> {
  const error: unknown = await calling.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (RuntimeError.isInstance(error)) return error;
  throw new Error(`Expected a RuntimeError, got ${String(error)}.`);
}

/** Kinds of requests in the log, without times and numbers, nor how fast agents are. */
export const kindsOf = (local: LocalRuntime): string[] =>
  local
    .endpointLog()
    .filter(({ kind }) => kind !== 'session_ready' && kind !== 'ping_waited')
    .map((entry) => entry.kind + ('copy' in entry && entry.copy ? ' again' : ''));
