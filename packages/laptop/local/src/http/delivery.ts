import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { runtimeHeaders } from '@art/protocol';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { DataPlaneCall } from './data-plane.ts';

/** Delivery to a container, whichever process it is in. */
export interface ReplyDelivery {
  method: 'GET' | 'POST';
  path: string;
  headers: OutgoingHttpHeaders;
  body: Buffer | undefined;
  /** Longest time until the whole answer is there, and that of an answer that is an event stream. */
  timeoutMs: number;
  streamTimeoutMs: number;
  /** Aborts when the caller has hung up. */
  signal: AbortSignal;
}

/** Delivery that a container gets of a call. */
export function deliveryOf(
  call: Pick<DataPlaneCall, 'agent' | 'sessionId' | 'requestId' | 'headers' | 'body' | 'hangUp'>,
  settings: Pick<ResolvedOptions, 'region' | 'requestTimeoutMs' | 'streamTimeoutMs'>,
  at: Pick<ReplyDelivery, 'method' | 'path'>,
): ReplyDelivery {
  const { agent, sessionId, requestId, body, hangUp: signal } = call;
  const { region, requestTimeoutMs: timeoutMs, streamTimeoutMs } = settings;
  const headers: OutgoingHttpHeaders = {
    // AWS's internal name for a cell, where it was seen in containers: an agent that checks Host fails there, so here too.
    host: `cell01.${region}.prod.arp.local`,
    'content-length': body?.length ?? 0,
    [runtimeHeaders.sessionId]: sessionId,
    [runtimeHeaders.requestId]: requestId,
    [runtimeHeaders.traceId]: call.headers[runtimeHeaders.traceId] ?? newTraceId(),
  };
  // These come through unchanged, only when the caller sent them, and no others: a container has to cope without.
  // Source: AgentCore developer guide, header allowlist; observed on the service.
  for (const name of ['content-type', 'accept', runtimeHeaders.baggage, ...agent.allowedHeaders]) {
    const value = call.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return { ...at, headers, body, timeoutMs, streamTimeoutMs, signal };
}

// X-Ray's format: version, seconds in hex, 96 random bits.
function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}
