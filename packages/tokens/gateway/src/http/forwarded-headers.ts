import type { IncomingHttpHeaders } from 'node:http';
import { connectionHeaders } from '@art/ground';

const notForwarded = new Set([
  ...connectionHeaders,
  // What the body's new length and host make wrong.
  'host',
  'content-length',
  'content-encoding',
  'expect',
  // The reply is read here, so it must come as it is.
  'accept-encoding',
]);

/**
 * An agent's headers as they go to the engine. The agent's own credentials go with them, as engines may want a key, unless
 * the key is one of the gateway's own.
 */
export function forwardedRequestHeaders(
  headers: IncomingHttpHeaders,
  dropCredentials: boolean,
): Record<string, string | string[]> {
  const forwarded: Record<string, string | string[]> = {};
  const named = namedHeaders(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || notForwarded.has(name) || named?.has(name) === true) continue;
    if (dropCredentials && (name === 'authorization' || name === 'x-api-key')) continue;
    forwarded[name] = value;
  }
  return forwarded;
}

function namedHeaders(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close)$/i.test(connection)) return undefined;
  return new Set(connection.toLowerCase().split(/\s*,\s*/));
}

const notReturned = new Set([...connectionHeaders, 'content-length', 'date', 'server']);

/** An engine's headers as they go back to the agent: all but those of the connection and of the body's length. */
export function forwardedReplyHeaders(
  headers: Readonly<Record<string, string | string[]>>,
): Record<string, string | string[]> {
  const forwarded: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !notReturned.has(name)) forwarded[name] = value;
  }
  return forwarded;
}
