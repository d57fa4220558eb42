import { RuntimeError } from '@art/protocol';
import type { FaultRule, LocalRuntime, LocalRuntimeOptions } from '../index.ts';
import { invokeJson, newSessionId, startTiny } from '../tiny-agent.fixture.ts';

/** A runtime with one tiny agent and one rule. */
export function startFaulty(
  rule: FaultRule,
  options: Partial<LocalRuntimeOptions> = {},
): Promise<LocalRuntime> {
  return startTiny([], { faults: { seed: 1, rules: [rule] }, ...options });
}

/** Sends a payload to the tiny agent. */
export const invoke = (local: LocalRuntime, sessionId = newSessionId(), payload = {}) =>
  invokeJson(local.runtime('tiny'), sessionId, payload);

export async function failureOf(calling: Promise<unknown>): Promise<RuntimeError> {
  const error: unknown = await calling.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (RuntimeError.isInstance(error)) return error;
  throw new Error(`Expected a RuntimeError, got ${String(error)}.`);
}

/** What the log says, without times and numbers. */
export const kindsOf = (local: LocalRuntime): string[] =>
  local.endpointLog().map((entry) => entry.kind + ('copy' in entry && entry.copy ? ' again' : ''));
