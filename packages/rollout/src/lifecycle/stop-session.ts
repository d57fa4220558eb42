import type { AgentRuntime, StopOutcome } from '@art/protocol';
import type { Clock } from '../clock.ts';

export type StopResult = StopOutcome | { kind: 'failed'; error: unknown };

export interface StopSessionParts {
  runtime: AgentRuntime;
  clock: Clock;
  /** How long a stop may take before it counts as failed. */
  stopTimeoutMs: number;
  /** Tells the operator of something that costs money or needs repair and belongs to no caller. */
  warn: (message: string) => void;
}

/**
 * Stops the session of a rollout. Never throws: the outcome of the rollout does not depend on it, but a session that goes
 * on costs money, so a failure is reported to the operator.
 */
export async function stopSession(sessionId: string, parts: StopSessionParts): Promise<StopResult> {
  const { runtime, clock, stopTimeoutMs, warn } = parts;
  const late = new AbortController();
  const cancel = clock.after(stopTimeoutMs, () =>
    late.abort(new Error(`no answer within ${stopTimeoutMs} ms`)),
  );
  try {
    return await runtime.stop(sessionId, { signal: late.signal });
  } catch (error) {
    warn(
      `Session ${sessionId} could not be stopped and may go on until its idle timeout: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { kind: 'failed', error };
  } finally {
    cancel();
  }
}
