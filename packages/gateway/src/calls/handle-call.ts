import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseWebPages, readRequestBody } from '../http/read-request.ts';
import { anySession, identifySession } from '../sessions/identify-session.ts';
import { isGatewaySessionId, sessionIdRule } from '../sessions/session-id.ts';
import { ApiError } from '../http/api-error.ts';
import { Call } from './call/call.ts';
import { ClientReply } from '../http/client-reply.ts';
import { countTokens } from './count-tokens.ts';
import { forwardedRequestHeaders } from '../http/forwarded-headers.ts';
import { captureExchange } from './capture-exchange.ts';
import { passThrough } from './pass-through.ts';
import type { ProxyContext } from './call/proxy-context.ts';
import { isTurn, type ProxyTarget } from '../http/proxy-path.ts';
import { tellFailure } from './call/tell-failure.ts';

/** Serves one call of an agent to the model API. Never rejects. */
export async function handleCall(
  context: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
  target: ProxyTarget,
): Promise<void> {
  const call = new Call(request, new ClientReply(response), target, context.weights.current);
  call.reply.whenGone(() => call.cancel('client_gone'));
  try {
    await serve(context, call);
  } catch (error) {
    tellFailure(context, call, error);
  }
  const { endpoint } = target;
  const status = call.cancelledBecause === 'client_gone' ? 499 : (call.reply.status ?? 500);
  // An agent that left mid-answer has had its turn; one that was refused or failed may try again.
  if (call.turnOf !== undefined && status >= 400 && call.cancelledBecause !== 'client_gone') {
    for (const tell of context.failedTurns) tell(call.turnOf);
  }
  const { stream, engine, engineMs, elapsedMs: totalMs } = call;
  context.metrics.callFinished({ endpoint, status, stream, engine, totalMs, engineMs });
}

async function serve(context: ProxyContext, call: Call): Promise<void> {
  const { request, target } = call;
  if (context.inFlight.closing) {
    throw new ApiError({ status: 503, message: 'The gateway is closing.', code: 'gateway_closing' });
  }
  refuseWebPages(request.headers);
  call.body = await readRequestBody(request, context.options.bodyLimitBytes);
  const sessionId = await identify(context, call);
  const leave = context.inFlight.enter(sessionId, (reason) => call.cancel(reason));
  try {
    if (sessionId !== undefined) await enterSession(context, call, sessionId);
    if (request.method !== 'POST') return await passThrough(context, call);
    switch (target.endpoint) {
      case 'other':
        return await passThrough(context, call);
      case 'count_tokens':
        return await countTokens(context, call);
      default:
        return await captureExchange(context, call, target.endpoint);
    }
  } finally {
    leave();
  }
}

async function identify(context: ProxyContext, call: Call): Promise<string | undefined> {
  const { request, target, body } = call;
  const clues = { urlSessionId: target.sessionId, headers: request.headers, body };
  const known = context.options.sessionsFromKeys ? anySession : context.directory;
  const { sessionId, ownKey, keySessionId } = await identifySession(clues, context.keys, known);
  if (context.options.auth.sessionKeys && (keySessionId === undefined || keySessionId !== sessionId)) {
    throw new ApiError({
      status: 401,
      message: 'Expected the key of the session as API key: the api_key that POST /sessions returned.',
      code: 'invalid_session_key',
    });
  }
  if (sessionId !== undefined && !isGatewaySessionId(sessionId)) {
    throw new ApiError({
      status: 400,
      message: `Expected a session id of ${sessionIdRule}.`,
      code: 'invalid_session_id',
    });
  }
  call.headers = forwardedRequestHeaders(request.headers, ownKey);
  return sessionId;
}

async function enterSession(context: ProxyContext, call: Call, sessionId: string): Promise<void> {
  for (const admit of context.admissions) {
    const refusal = await admit(sessionId, call.target.endpoint);
    if (refusal !== undefined) throw new ApiError(refusal);
  }
  if (call.request.method === 'POST' && isTurn(call.target.endpoint)) call.turnOf = sessionId;
  const standing = await context.directory.enter(sessionId);
  if (standing.kind === 'open') call.session = standing.session;
  else context.metrics.untracedCall();
}
