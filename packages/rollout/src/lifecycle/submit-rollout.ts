import {
  advertisesSessionState,
  ArtError,
  parseInvocationReply,
  RuntimeError,
  type RuntimeErrorInit,
  type AgentRuntime,
  type InvocationAnswer,
  type InvocationReply,
} from '@art/protocol';
import type { ResultStore } from '@art/store';
import { askStore } from '../ask-store.ts';
import type { Clock } from '../clock.ts';
import { pause } from '../pause.ts';
import { markRepeat, type RolloutRequest } from '../rollout-request.ts';

export interface SubmitRolloutParts {
  runtime: AgentRuntime;
  store: ResultStore;
  clock: Clock;
}

/**
 * `accepted`: the agent works on it, and may understand questions about it. `stored`: the answer was lost, but the result
 * is already there.
 */
export type Submission = { kind: 'accepted'; answersState: boolean } | { kind: 'stored' };

// An ambiguous failure is rare and each further send may run a foreign agent once more; pacing and the retries of what
// was certainly not delivered happen inside the runtime.
const mostSends = 3;
const resendDelayMs = 500;

/**
 * Hands one rollout to the runtime and checks what the agent answered. What may have been delivered is looked up in the
 * store before it is sent again, with the same session and attempt id and marked as a repeat: a server runs no attempt twice.
 * @param wasSentBefore by an earlier process, maybe: then the store is asked before anything is sent.
 * @throws ArtError when the rollout was not accepted; the signal's reason when aborted.
 */
export async function submitRollout(
  request: RolloutRequest,
  parts: SubmitRolloutParts,
  signal: AbortSignal,
  wasSentBefore = false,
): Promise<Submission> {
  if (wasSentBefore && (await isStored(request, parts, signal))) return { kind: 'stored' };
  for (let send = 1; ; send += 1) {
    const isRepeat = send > 1 || wasSentBefore;
    try {
      const body = isRepeat ? markRepeat(request.body) : request.body;
      const answer = await parts.runtime.invoke({ sessionId: request.sessionId, body }, { signal });
      return { kind: 'accepted', answersState: advertisesSessionState(checkReply(request, answer)) };
    } catch (error) {
      signal.throwIfAborted();
      if (!RuntimeError.isInstance(error) || (error.delivery === 'never' && !isRepeat)) throw error;
      if (await isStored(request, parts, signal)) return { kind: 'stored' };
      // An earlier send may have started a session, whatever became of this one.
      if (error.delivery === 'never') throw new RuntimeError({ ...errorInit(error), delivery: 'unknown' });
      if (error.delivery === 'delivered' || send >= mostSends) throw error;
      await pause(parts.clock, resendDelayMs * 2 ** (send - 1), signal);
    }
  }
}

function errorInit(error: RuntimeError): RuntimeErrorInit {
  const { code, message, cause, delivery, httpStatus, retryAfterMs, requestId } = error;
  return { code, message, cause, delivery, httpStatus, retryAfterMs, requestId };
}

function checkReply(request: RolloutRequest, answer: InvocationAnswer): InvocationReply {
  const reply = parseInvocationReply(answer.body);
  if (reply.s3_bucket === request.bucket && reply.result_key === request.resultKey) return reply;
  const announced =
    reply.result_key === undefined
      ? 'no key, as if it stored nothing'
      : `${JSON.stringify(reply.result_key)} in bucket ${JSON.stringify(reply.s3_bucket)}`;
  throw new ArtError({
    code: 'ART_RESULT_KEY_MISMATCH',
    message: `Expected the agent to store its result as ${JSON.stringify(request.resultKey)} in bucket ${JSON.stringify(request.bucket)}, it announced ${announced}. Check that the agent passes the session id and _rollout on unchanged.`,
  });
}

async function isStored(
  { bucket, resultKey: key }: RolloutRequest,
  { store, clock }: SubmitRolloutParts,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await askStore((asked) => store.exists({ bucket, key }, { signal: asked }), clock, signal);
  } catch {
    // A store that cannot answer now must not decide; if the result is there, the watcher will find it.
    signal.throwIfAborted();
    return false;
  }
}
