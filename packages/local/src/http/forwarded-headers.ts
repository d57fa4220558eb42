import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { runtimeHeaders } from '@art/protocol';

export interface ForwardedHeadersInput {
  /** The caller's headers, `content-type` among them exactly as sent. */
  headers: IncomingHttpHeaders;
  sessionId: string;
  requestId: string;
  region: string;
  contentLength: number;
  allowedHeaders: readonly string[];
}

// AWS's internal name for a cell, where it was seen in containers: an agent that checks Host fails there, so here too.
const internalHost = (region: string): string => `cell01.${region}.prod.arp.local`;

/**
 * The headers that reach a container, and no others. `content-type` and `accept` come through unchanged and only when
 * the caller sent them: a container has to cope without.
 * Source: AgentCore developer guide, header allowlist; observed on the service.
 */
export function forwardedHeaders(input: ForwardedHeadersInput): OutgoingHttpHeaders {
  const { headers, sessionId, requestId, region, contentLength, allowedHeaders } = input;
  const forwarded: OutgoingHttpHeaders = {
    host: internalHost(region),
    'content-length': contentLength,
    [runtimeHeaders.sessionId]: sessionId,
    [runtimeHeaders.requestId]: requestId,
    [runtimeHeaders.traceId]: headers[runtimeHeaders.traceId] ?? newTraceId(),
  };
  for (const name of ['content-type', 'accept', runtimeHeaders.baggage, ...allowedHeaders]) {
    const value = headers[name];
    if (value !== undefined) forwarded[name] = value;
  }
  return forwarded;
}

// X-Ray's format: version, seconds in hex, 96 random bits.
function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}
