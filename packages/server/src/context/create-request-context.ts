import type { IncomingHttpHeaders } from 'node:http';
import { type RolloutConfig, runtimeHeaders } from '@art/protocol';
import type { FastifyRequest } from 'fastify';
import { freshId } from './fresh-id.ts';
import type { RequestContext } from './request-context.ts';

/** What the handler's context needs beyond the request itself. */
export interface RequestContextParts {
  sessionId: string;
  signal: AbortSignal;
  rollout?: RolloutConfig | undefined;
  resultKey?: string | undefined;
}

export function createRequestContext(request: FastifyRequest, parts: RequestContextParts): RequestContext {
  const named = headerOf(request.headers, runtimeHeaders.sessionId) !== undefined;
  return {
    sessionId: parts.sessionId,
    requestId: request.id,
    headers: flattenHeaders(request.headers),
    rollout: parts.rollout,
    resultKey: parts.resultKey,
    signal: parts.signal,
    // Where the header was sent, the request's logger stamps it already.
    log: named ? request.log : request.log.child({ sessionId: parts.sessionId }),
    workloadAccessToken:
      headerOf(request.headers, runtimeHeaders.identityWorkloadAccessToken) ??
      headerOf(request.headers, runtimeHeaders.workloadAccessToken),
    oauth2CallbackUrl: headerOf(request.headers, runtimeHeaders.oauth2CallbackUrl),
  };
}

/** The session that a request belongs to. AgentCore always names one; `curl` on a laptop need not. */
export function sessionIdOf(request: FastifyRequest): string {
  return headerOf(request.headers, runtimeHeaders.sessionId) ?? freshId();
}

/** The platform's request id: the header that AWS's SDKs look for, or the one that AgentCore really sends. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  return (
    headerOf(headers, runtimeHeaders.runtimeRequestId) ??
    headerOf(headers, runtimeHeaders.requestId) ??
    freshId()
  );
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
