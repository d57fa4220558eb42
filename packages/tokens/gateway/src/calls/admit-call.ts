import type { IncomingHttpHeaders } from 'node:http';
import { agentLabelExpected, agentLabelHeader, isAgentLabel } from '@art/protocol';
import { describeValue } from '@art/ground';
import { ApiError } from '../http/api-error.ts';
import { forwardedRequestHeaders } from '../http/forwarded-headers.ts';
import { assertPassedOn } from '../http/passed-routes.ts';
import { isTurn } from '../http/proxy-path.ts';
import { readRequestBody } from '../http/read-request.ts';
import { refuseCaller } from '../http/refuse-caller.ts';
import {
  anySession,
  apiKeyOf,
  identifySession,
  type SessionIdentity,
  isGatewaySessionId,
  sessionIdRule,
} from '../sessions/identify-session.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { AdmittedCall, ReceivedCall } from './call/call.ts';
import { CallCharge } from './call/call-charge.ts';
import type { AdmissionServices } from './call/gateway-services.ts';

/** The status of a call whose agent left before its answer ended. */
export const agentLeft = 499;

/**
 * Lets a call in: reads its body, finds out whose it is, and counts it there. From then on it is under way, until `leave`.
 * @throws ApiError; ArtError of the capture store
 */
export async function admitCall(services: AdmissionServices, call: ReceivedCall): Promise<AdmittedCall> {
  const { request, life } = call;
  if (services.inFlight.closing) {
    throw new ApiError({ status: 503, message: 'The gateway is closing.', code: 'gateway_closing' });
  }
  refuseCaller(request, services.options);
  assertPassedOn(call.target, request.method ?? 'GET');
  const label = labelOf(request);
  checkKey(services, request.headers);
  const body = await readRequestBody(request, services.options.bodyLimitBytes);
  const { sessionId, ownKey } = await identify(services, call, body);
  const session = sessionId === undefined ? undefined : await enterSession(services, sessionId);
  const isTurn = session !== undefined && takeTurn(call, session);
  const leaveSession = session?.calls.enter((reason) => life.cancel(reason));
  const leave = (status: number): void => {
    // An agent that left mid-answer has had its turn; one that was refused or failed may try again.
    const isGone = status === agentLeft;
    const isRefused = !isGone && (status >= 400 || life.failed);
    if (isTurn && isRefused) session.move({ event: 'turn_failed' });
    if (life.contextFull && session !== undefined) session.contextFull += 1;
    else if (isTurn && isGone) session.countAbandonedCall();
    else if (isTurn && (isRefused || life.brokeOff)) session.countFailedCall();
    // Last: anyone who waits for the session's calls reads what they have counted.
    leaveSession?.();
  };
  const headers = forwardedRequestHeaders(request.headers, ownKey);
  const charge = session?.spending && new CallCharge(session.spending, body.length);
  return { ...call, body, headers, session, charge, label, leave };
}

function labelOf({ headers }: ReceivedCall['request']): string | undefined {
  const { [agentLabelHeader]: label } = headers;
  if (label === undefined || isAgentLabel(label)) return label;
  const message = `Expected the header ${agentLabelHeader} to be ${agentLabelExpected}, got ${describeValue(label)}.`;
  throw new ApiError({ status: 400, message, code: 'invalid_label' });
}

/** Where each call needs the key of a session: before its body is read. @throws ApiError 401 */
function checkKey({ options, keys }: AdmissionServices, headers: IncomingHttpHeaders): void {
  if (!options.auth.sessionKeys) return;
  const key = apiKeyOf(headers);
  if (key === undefined || keys.read(key).kind !== 'valid') throw invalidKey();
}

function invalidKey(): ApiError {
  const message = 'Expected the key of the session as API key: the api_key that POST /sessions returned.';
  return new ApiError({ status: 401, message, code: 'invalid_session_key' });
}

async function identify(
  { options, keys, sessions }: AdmissionServices,
  { request, target }: ReceivedCall,
  body: Uint8Array,
): Promise<SessionIdentity> {
  const clues = { urlSessionId: target.sessionId, headers: request.headers, body };
  const identity = await identifySession(clues, keys, options.sessionsFromKeys ? anySession : sessions);
  const { sessionId, keySessionId } = identity;
  if (options.auth.sessionKeys && (keySessionId === undefined || keySessionId !== sessionId))
    throw invalidKey();
  if (sessionId !== undefined && !isGatewaySessionId(sessionId)) {
    const message = `Expected a session id of ${sessionIdRule}.`;
    throw new ApiError({ status: 400, message, code: 'invalid_session_id' });
  }
  return identity;
}

/** Undefined for a deleted one: the call is served, and nothing is kept of it. */
async function enterSession(
  { sessions, metrics }: AdmissionServices,
  sessionId: string,
): Promise<LiveSession | undefined> {
  const session = await sessions.enter(sessionId);
  if (session === undefined) metrics.uncapturedCall();
  return session;
}

/** Counts a call that samples as a turn of its session. @throws ApiError where the session takes no more */
function takeTurn({ request, target }: ReceivedCall, session: LiveSession): boolean {
  if (request.method !== 'POST' || !isTurn(target.endpoint)) return false;
  const refusal = session.takeTurn();
  if (refusal === undefined) return true;
  const { status, type, message } = refusal;
  const code = status === 429 ? 'max_turns_reached' : 'session_closed';
  throw new ApiError({ status, type, message, code });
}
