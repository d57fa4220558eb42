import { subscribe } from 'node:diagnostics_channel';
import { getContext, type RequestContext } from '../request/request-context.ts';

/** What a handler's requests to one origin came to. */
export interface SeenRequests {
  /** Every status that it answered. */
  statuses: Set<number>;
  /** Whether the request that ended last did so by an error, 429 or a status from 500 on. */
  lastFailed: boolean;
  /** Whether it broke off after its handler had been told to stop. */
  lastCutOff: boolean;
}

/** A request of undici, as it is published: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
interface SentRequest {
  origin: string | URL;
}

const errorOrigins = new WeakMap<object, string>();
const seenByContext = new WeakMap<RequestContext, Map<string, SeenRequests>>();
const senders = new WeakMap<SentRequest, RequestContext>();
let isWatching = false;

/**
 * From here on it is noted where the requests of handlers go and how they end. Model clients say neither in the errors
 * that they throw; all of them send by `fetch`, and `fetch` tells on these channels.
 */
export function watchRequests(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: SentRequest };
    const context = getContext();
    if (context !== undefined) senders.set(request, context);
  });
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as { request: SentRequest; response: { statusCode: number } };
    const seen = seenOf(request);
    if (seen === undefined) return;
    seen.statuses.add(response.statusCode);
    seen.lastFailed = isOutageStatus(response.statusCode);
    seen.lastCutOff = false;
  });
  subscribe('undici:request:error', (message) => {
    const { request, error } = message as { request: SentRequest; error: unknown };
    if (typeof error === 'object' && error !== null) errorOrigins.set(error, String(request.origin));
    const seen = seenOf(request);
    if (seen === undefined) return;
    seen.lastFailed = true;
    seen.lastCutOff = senders.get(request)!.signal.aborted;
  });
}

/** The origin of the request that ended with this very error; undefined where that was not seen. */
export function originOfError(error: object): string | undefined {
  return errorOrigins.get(error);
}

/** What the requests of a handler to an origin came to; undefined where none was seen. */
export function requestsSeen(context: RequestContext, origin: string): SeenRequests | undefined {
  return seenByContext.get(context)?.get(origin);
}

/** Whether a status says that the server has trouble, and not the request. */
export function isOutageStatus(status: number): boolean {
  return status === 429 || (status >= 500 && status <= 599);
}

function seenOf(request: SentRequest): SeenRequests | undefined {
  const context = senders.get(request);
  if (context === undefined) return undefined;
  let byOrigin = seenByContext.get(context);
  if (byOrigin === undefined) seenByContext.set(context, (byOrigin = new Map()));
  const origin = String(request.origin);
  let seen = byOrigin.get(origin);
  if (seen === undefined)
    byOrigin.set(origin, (seen = { statuses: new Set(), lastFailed: false, lastCutOff: false }));
  return seen;
}
