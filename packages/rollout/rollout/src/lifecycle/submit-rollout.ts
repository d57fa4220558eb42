import { pause } from '@art/ground';
import { RuntimeError, type RuntimeErrorInit } from '@art/protocol';
import type { RolloutAddress } from '../request/rollout-request.ts';
import type { ReadResult, Submission } from './result-source.ts';
import type { RolloutDeps } from './rollout-deps.ts';

// A failure on the way is rare, and each further send of what may have arrived may run a foreign agent once more; pacing and
// the retries of what was refused happen inside the runtime.
const mostSends = 3;
const resendDelayMs = 500;

export interface SubmitRolloutOptions {
  signal: AbortSignal;
  /** It was sent by an earlier process, maybe: then its result is looked for before anything is sent. @default false */
  wasSentBefore?: boolean | undefined;
  /** Called as soon as there may be a session; again for each send. */
  onLeaving: () => void;
}

/**
 * Hands one rollout to the runtime and checks what the agent answered. What never left this process is sent again as it is. What
 * may have been delivered is looked for before it is sent again, with the same session and the same invocation id: an agent that
 * speaks RIP starts none twice.
 * @throws ArtError when the rollout was not accepted; the signal's reason when aborted.
 */
export async function submitRollout(
  request: RolloutAddress & { body: string },
  deps: RolloutDeps,
  { signal, wasSentBefore = false, onLeaving }: SubmitRolloutOptions,
): Promise<Submission> {
  const { runtime, source, clock } = deps;
  const found = wasSentBefore ? await find(request, deps, signal) : undefined;
  if (found !== undefined) return found;
  let mayHaveArrived = wasSentBefore;
  for (let send = 1; ; send += 1) {
    let mayHaveLeft = false;
    const leave = (): void => {
      mayHaveLeft = true;
      onLeaving();
    };
    if (runtime.tellsLeaving !== true) leave();
    try {
      const { sessionId, body } = request;
      const answer = await runtime.invoke({ sessionId, body }, { signal, onLeaving: leave });
      // What was answered had left, also where a runtime forgot to say so.
      if (!mayHaveLeft) leave();
      return source.readAnswer(request, answer.body);
    } catch (error) {
      signal.throwIfAborted();
      if (!RuntimeError.isInstance(error)) throw error;
      if (!mayHaveLeft && isAnswered(error)) leave();
      const isUnsent = error.delivery === 'never' || !mayHaveLeft;
      mayHaveArrived ||= !isUnsent;
      const landed = mayHaveArrived ? await find(request, deps, signal) : undefined;
      if (landed !== undefined) return landed;
      if (send >= mostSends || !isResent(error)) throw asDelivered(error, mayHaveArrived);
      await pause(resendDelayMs * 2 ** (send - 1), { clock, signal });
    }
  }
}

function isAnswered({ delivery, httpStatus }: RuntimeError): boolean {
  return delivery === 'delivered' || httpStatus !== undefined;
}

/**
 * True if a send is repeated here. The runtime itself repeats requests that were refused, where that helps. A failure
 * in the container would repeat.
 */
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

async function find(
  request: RolloutAddress,
  { source }: RolloutDeps,
  signal: AbortSignal,
): Promise<Submission | undefined> {
  let read: ReadResult | undefined;
  try {
    read = await source.find(request, signal);
  } catch {
    // A store that cannot answer now must not decide; if the result is there, it will be noticed.
    signal.throwIfAborted();
  }
  return read && { kind: 'ready', read, isAnswer: false };
}
