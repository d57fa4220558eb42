import { ApiError } from '../http/api-error.ts';
import { forwardedRequestHeaders } from '../http/forwarded-headers.ts';
import { isTurn } from '../http/proxy-path.ts';
import { readRequestBody, refuseWebPages } from '../http/read-request.ts';
import {
  anySession,
  identifySession,
  type SessionIdentity,
  isGatewaySessionId,
  sessionIdRule,
} from '../sessions/identify-session.ts';
import type { KnownSession } from '../sessions/session-directory.ts';
import { noLimits, type CallLimits } from '../trajectories/trajectory-state.ts';
import type { AdmittedCall, ReceivedCall } from './call/call.ts';
import type { CallContext } from './call/call-context.ts';

/**
 * Lets a call in: reads its body, finds out whose it is, and counts it there. From then on it is under way, until `leave`.
 * @throws ApiError; ArtError of the trace store
 */
export async function admitCall(context: CallContext, call: ReceivedCall): Promise<AdmittedCall> {
  const { request, life } = call;
  if (context.inFlight.closing) {
    throw new ApiError({ status: 503, message: 'The gateway is closing.', code: 'gateway_closing' });
  }
  refuseWebPages(request.headers);
  const body = await readRequestBody(request, context.options.bodyLimitBytes);
  const { sessionId, ownKey } = await identify(context, call, body);
  const leaveFlight = context.inFlight.enter(sessionId, (reason) => life.cancel(reason));
  let turn = noTurn;
  const leave = (failed: boolean): void => {
    leaveFlight();
    if (failed) turn.fail();
  };
  try {
    turn = await takeTurn(context, call, sessionId);
    const session = sessionId === undefined ? undefined : await enterSession(context, sessionId);
    const headers = forwardedRequestHeaders(request.headers, ownKey);
    return { ...call, body, headers, session, limits: turn.limits, leave };
  } catch (error) {
    leave(true);
    throw error;
  }
}

async function identify(
  { options, keys, directory }: CallContext,
  { request, target }: ReceivedCall,
  body: Uint8Array,
): Promise<SessionIdentity> {
  const clues = { urlSessionId: target.sessionId, headers: request.headers, body };
  const identity = await identifySession(clues, keys, options.sessionsFromKeys ? anySession : directory);
  const { sessionId, keySessionId } = identity;
  if (options.auth.sessionKeys && (keySessionId === undefined || keySessionId !== sessionId)) {
    const message = 'Expected the key of the session as API key: the api_key that POST /sessions returned.';
    throw new ApiError({ status: 401, message, code: 'invalid_session_key' });
  }
  if (sessionId !== undefined && !isGatewaySessionId(sessionId)) {
    const message = `Expected a session id of ${sessionIdRule}.`;
    throw new ApiError({ status: 400, message, code: 'invalid_session_id' });
  }
  return identity;
}

interface Turn {
  limits: CallLimits;
  /** It came to nothing, and does not count. */
  fail(): void;
}

const noTurn: Turn = { limits: noLimits, fail: () => undefined };

/** Counts a call that samples as a turn of its session. @throws ApiError where the session takes no more */
async function takeTurn(
  { trajectories }: CallContext,
  { request, target }: ReceivedCall,
  sessionId: string | undefined,
): Promise<Turn> {
  if (sessionId === undefined || request.method !== 'POST' || !isTurn(target.endpoint)) return noTurn;
  const admission = await trajectories.admit(sessionId);
  if (admission.kind === 'admitted')
    return { limits: admission.limits, fail: () => trajectories.failed(sessionId) };
  const { status, type, message } = admission;
  const code = status === 429 ? 'max_turns_reached' : 'session_closed';
  throw new ApiError({ status, type, message, code });
}

/** Undefined for a deleted one: the call is served, and nothing is kept of it. */
async function enterSession(
  { directory, metrics }: CallContext,
  sessionId: string,
): Promise<KnownSession | undefined> {
  const session = await directory.enter(sessionId);
  if (session === undefined) metrics.untracedCall();
  return session;
}
