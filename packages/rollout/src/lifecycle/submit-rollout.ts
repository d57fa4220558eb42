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

// A failure on the way is rare, and each further send of what may have arrived may run a foreign agent once more; pacing and
// the retries of what was refused happen inside the runtime.
const mostSends = 3;
const resendDelayMs = 500;

export interface SubmitRolloutOptions {
  signal: AbortSignal;
  /** It was sent by an earlier process, maybe: then the store is asked before anything is sent. @default false */
  wasSentBefore?: boolean | undefined;
  /** Called as soon as there may be a session; again for each send. */
  onLeaving: () => void;
}

/**
 * Hands one rollout to the runtime and checks what the agent answered. What never left this process is sent again as it is. What
 * may have been delivered is looked up in the store before it is sent again, with the same session and attempt id and marked as
 * a repeat: a server runs no attempt twice.
 * @throws ArtError when the rollout was not accepted; the signal's reason when aborted.
 */
export async function submitRollout(
  request: RolloutRequest,
  parts: SubmitRolloutParts,
  { signal, wasSentBefore = false, onLeaving }: SubmitRolloutOptions,
): Promise<Submission> {
  const { runtime, clock } = parts;
  if (wasSentBefore && (await isStored(request, parts, signal))) return { kind: 'stored' };
  let mayHaveArrived = wasSentBefore;
  for (let send = 1; ; send += 1) {
    let mayHaveLeft = false;
    const leave = (): void => {
      mayHaveLeft = true;
      onLeaving();
    };
    if (runtime.tellsLeaving !== true) leave();
    try {
      const body = mayHaveArrived ? markRepeat(request.body) : request.body;
      const { sessionId } = request;
      const answer = await runtime.invoke({ sessionId, body }, { signal, onLeaving: leave });
      // What was answered had left, also where a runtime forgot to say so.
      if (!mayHaveLeft) leave();
      return { kind: 'accepted', answersState: advertisesSessionState(checkReply(request, answer)) };
    } catch (error) {
      signal.throwIfAborted();
      if (!RuntimeError.isInstance(error)) throw error;
      if (!mayHaveLeft && isAnswered(error)) leave();
      const isUnsent = error.delivery === 'never' || !mayHaveLeft;
      mayHaveArrived ||= !isUnsent;
      if (mayHaveArrived && (await isStored(request, parts, signal))) return { kind: 'stored' };
      if (send >= mostSends || !isResent(error)) throw asDelivered(error, mayHaveArrived);
      await pause(clock, resendDelayMs * 2 ** (send - 1), signal);
    }
  }
}

function isAnswered({ delivery, httpStatus }: RuntimeError): boolean {
  return delivery === 'delivered' || httpStatus !== undefined;
}

/** What was refused was repeated inside the runtime, where that helps; what failed in the container would fail again. */
function isResent({ code, delivery }: RuntimeError): boolean {
  return code === 'ART_RUNTIME_UNAVAILABLE' || delivery === 'unknown';
}

/** The error of the last send, with what is known of all of them: an earlier one may have started a session. */
function asDelivered(error: RuntimeError, mayHaveArrived: boolean): RuntimeError {
  if (mayHaveArrived === (error.delivery !== 'never')) return error;
  return new RuntimeError({ ...errorInit(error), delivery: mayHaveArrived ? 'unknown' : 'never' });
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
