import type { IncomingHttpHeaders } from 'node:http';
import { describeValue, freshId } from '@art/ground';
import { type RolloutConfig, runtimeHeaders } from '@art/protocol';
import type { FastifyRequest } from 'fastify';
import { RequestRefusal } from './request-refusal.ts';
import { handlerRollout } from './handler-rollout.ts';
import { promptReader } from './prompt-reader.ts';
import type { RequestContext } from './request-context.ts';

/** The context of a request for its handler, with `parts` for the facts that are not in the request. */
export function createRequestContext(
  request: FastifyRequest,
  parts: Pick<RequestContext, 'sessionId' | 'signal'> &
    Partial<Pick<RequestContext, 'invocation' | 'resultKey'>> & { rollout?: RolloutConfig | undefined },
): RequestContext {
  const bindings = {
    // Where the header was sent, the request's logger stamps it already.
    ...(namedSessionIdOf(request) === undefined && { sessionId: parts.sessionId }),
    ...(parts.invocation && { invocationId: parts.invocation.id }),
  };
  return {
    sessionId: parts.sessionId,
    requestId: request.id,
    headers: flattenHeaders(request.headers),
    rollout: parts.rollout && handlerRollout(parts.rollout),
    prompt: promptReader(parts.rollout),
    invocation: parts.invocation,
    resultKey: parts.resultKey,
    signal: parts.signal,
    log: Object.keys(bindings).length === 0 ? request.log : request.log.child(bindings),
    workloadAccessToken:
      headerOf(request.headers, runtimeHeaders.identityWorkloadAccessToken) ??
      headerOf(request.headers, runtimeHeaders.workloadAccessToken),
    oauth2CallbackUrl: headerOf(request.headers, runtimeHeaders.oauth2CallbackUrl),
  };
}

// AgentCore's own limit for session ids is 256 characters. Its command line makes ids that are shorter than the 33 that
// the service asks for, so there is no lower one.
const headerId = /^[\x21-\x7e]{1,256}$/;

/**
 * The session that a request belongs to. AgentCore always names one; `curl` on a laptop need not.
 * @throws RequestRefusal 400, `ART_INVALID_SESSION_ID`
 */
export function sessionIdOf(request: FastifyRequest): string {
  return namedSessionIdOf(request) ?? freshId();
}

/**
 * The session that a request names; undefined where it names none.
 * @throws RequestRefusal 400, `ART_INVALID_SESSION_ID`
 */
export function namedSessionIdOf(request: FastifyRequest): string | undefined {
  const given = headerOf(request.headers, runtimeHeaders.sessionId);
  if (given === undefined || headerId.test(given)) return given;
  const error = `Expected the session id to be 1 to 256 visible ASCII characters, got ${describeValue(given)}.`;
  throw new RequestRefusal(400, 'ART_INVALID_SESSION_ID', error);
}

/** The platform's request id: the header that AWS's SDKs look for, or the one that AgentCore really sends. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  for (const name of [runtimeHeaders.runtimeRequestId, runtimeHeaders.requestId]) {
    const given = headerOf(headers, name);
    if (given !== undefined && headerId.test(given)) return given;
  }
  return freshId();
}

/** One header's value; an empty one counts as absent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined || text === '' ? undefined : text;
}

function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headerOf(headers, name);
    if (value !== undefined) flat[name] = value;
  }
  return flat;
}
