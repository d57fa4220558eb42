import { callWithin, type Clock, ArtError, describeValue, stringifyJson } from '@art/ground';
import {
  formatRipRequest,
  parseInvocationState,
  ripEnvelopeField,
  RuntimeError,
  type AgentRuntime,
  type InvocationState,
} from '@art/protocol';
import type { RolloutAddress } from '../request/rollout-request.ts';

/**
 * The report of a session about an invocation, or why there is none.
 * - `crashed`: the session crashed while it was asked; the next question reaches a fresh machine.
 * - `unreachable`: no answer now, which says nothing about the session.
 * - `not_rip`: the answer does not follow the protocol.
 */
export type InvocationReport =
  | InvocationState
  | { status: 'crashed' | 'unreachable'; error: Error; isLate: boolean }
  | { status: 'not_rip'; error: ArtError };

/**
 * Asks a session what became of an invocation, by the `get` of RIP. Never throws.
 * @param timeoutMs how long an answer may take; one with a large result takes longer than others
 */
export async function askInvocation(
  { sessionId, invocationId }: RolloutAddress,
  { runtime, clock }: { runtime: AgentRuntime; clock: Clock },
  signal: AbortSignal,
  timeoutMs: number,
): Promise<InvocationReport> {
  let isLate = false;
  const timeoutError = (): Error => {
    isLate = true;
    return new Error(`no answer within ${timeoutMs} ms`);
  };
  const envelope = formatRipRequest({ operation: 'get', invocationId: invocationId });
  const request = { sessionId, body: stringifyJson({ [ripEnvelopeField]: envelope }) };
  try {
    const { body } = await callWithin((asked) => runtime.invoke(request, { signal: asked }), {
      signal,
      clock,
      timeoutMs,
      timeoutError,
    });
    return parseInvocationState(body, invocationId) ?? { status: 'not_rip', error: noState(body) };
  } catch (error) {
    if (!RuntimeError.isInstance(error) && ArtError.isInstance(error) && error.code === 'ART_INVALID_REPLY')
      return { status: 'not_rip', error };
    // A session that had to be started, and did not, was gone before.
    const isGone =
      RuntimeError.isInstance(error) &&
      (error.delivery === 'delivered' || error.code === 'ART_RUNTIME_START_FAILED');
    return { status: isGone ? 'crashed' : 'unreachable', error: error as Error, isLate };
  }
}

function noState(body: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_REPLY',
    message: `Expected the state of an invocation, as the Runtime Invocation Protocol has it, got ${describeValue(body)}.`,
  });
}
