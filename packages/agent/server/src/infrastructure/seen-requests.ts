import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { getContext, type RequestContext } from '../request/request-context.ts';

/** The results of a handler's requests to one origin. */
export interface OriginSeen {
  /** True if the request that ended last failed by an error or by an outage status. */
  lastFailed: boolean;
  /** True if it broke off after its handler was asked to stop. */
  lastCutOff: boolean;
  /** True if any of them was answered, with any status. */
  wasAnswered: boolean;
}

/** The results of all requests of a handler. */
export interface SeenRequests {
  byOrigin: Map<string, OriginSeen>;
  /** The origin that gave a status last. */
  lastByStatus: Map<number, string>;
  /** The request that failed last; `code` is set if it ended by an error. */
  lastFailure: { origin: string; code: unknown } | undefined;
}

/** A request of undici, as it is published: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
interface SentRequest {
  origin: string | URL;
}

const errorOrigins = new WeakMap<object, string>();
const seenByContext = new WeakMap<RequestContext, SeenRequests>();
const senders = new WeakMap<object, RequestContext>();
let isWatching = false;

/**
 * From here on it is noted where the requests of handlers go and how they end. Clients say neither in the errors that they throw;
 * all of them send by `fetch` or by `node:http`, which tell on these channels.
 * Source: https://nodejs.org/api/diagnostics_channel.html#built-in-channels
 */
export function watchRequests(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('undici:request:create', (message) => noteSender((message as { request: object }).request));
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as { request: SentRequest; response: { statusCode: number } };
    noteStatus(request, String(request.origin), response.statusCode);
  });
  subscribe('undici:request:error', (message) => {
    const { request, error } = message as { request: SentRequest; error: unknown };
    noteError(request, String(request.origin), error);
  });
  subscribe('http.client.request.created', (message) => noteSender((message as { request: object }).request));
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const origin = originOfRequest(request);
    if (!senders.has(request) || origin === undefined) return;
    noteStatus(request, origin, response.statusCode ?? 0);
    response.once('close', () => {
      if (!response.complete) noteError(request, origin, response.errored);
    });
  });
  subscribe('http.client.request.error', (message) => {
    const { request, error } = message as { request: ClientRequest; error: unknown };
    const origin = originOfRequest(request);
    if (origin !== undefined) noteError(request, origin, error);
  });
}

function noteSender(request: object): void {
  const context = getContext();
  if (context !== undefined) senders.set(request, context);
}

/** The origin of the request that ended with this very error; undefined where that was not seen. */
export function originOfError(error: object): string | undefined {
  return errorOrigins.get(error);
}

/** The results of a handler's requests; undefined if none was seen. */
export function requestsSeen(context: RequestContext): SeenRequests | undefined {
  return seenByContext.get(context);
}

/**
 * True if a status reports a problem of the server, not of the request. 408 is a time-out of a proxy or of the server.
 */
export function isOutageStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

function noteStatus(request: object, origin: string, status: number): void {
  const seen = seenOf(request);
  if (seen === undefined) return;
  const lastFailed = isOutageStatus(status);
  seen.byOrigin.set(origin, { lastFailed, lastCutOff: false, wasAnswered: true });
  seen.lastByStatus.set(status, origin);
  if (lastFailed) seen.lastFailure = { origin, code: undefined };
}

function noteError(request: object, origin: string, error: unknown): void {
  const isObject = typeof error === 'object' && error !== null;
  if (isObject) errorOrigins.set(error, origin);
  const seen = seenOf(request);
  if (seen === undefined) return;
  const wasAnswered = seen.byOrigin.get(origin)?.wasAnswered ?? false;
  const lastCutOff = senders.get(request)!.signal.aborted;
  seen.byOrigin.set(origin, { lastFailed: true, lastCutOff, wasAnswered });
  seen.lastFailure = { origin, code: isObject ? (error as NodeJS.ErrnoException).code : undefined };
}

function seenOf(request: object): SeenRequests | undefined {
  const context = senders.get(request);
  if (context === undefined) return undefined;
  let seen = seenByContext.get(context);
  if (seen === undefined) {
    seen = { byOrigin: new Map(), lastByStatus: new Map(), lastFailure: undefined };
    seenByContext.set(context, seen);
  }
  return seen;
}

function originOfRequest(request: ClientRequest): string | undefined {
  const host = request.getHeader('host');
  const url = `${request.protocol}//${typeof host === 'string' ? host : request.host}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
