import { connectionHeaders } from '@art/ground';

/** Names and values one after the other, as Node's `rawHeaders` has them and `writeHead` takes them. */
export type RawHeaders = string[];

// What the trainer's end writes itself, and what says who the agent is: the gateway's key is none of its business.
const notFromAgents = new Set([
  'host',
  'content-length',
  'expect',
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
]);

/** An agent's headers without those of its connection, and without its credentials. */
export function requestHeaders(headers: RawHeaders): RawHeaders {
  return without(headers, (name) => connectionHeaders.has(name) || notFromAgents.has(name));
}

/** A gateway's headers without those of its connection. */
export function answerHeaders(headers: RawHeaders): RawHeaders {
  return without(headers, (name) => connectionHeaders.has(name));
}

function without(headers: RawHeaders, isDropped: (name: string) => boolean): RawHeaders {
  const named = new Set<string>();
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]!.toLowerCase() === 'connection')
      for (const name of headers[at + 1]!.split(',')) named.add(name.trim().toLowerCase());
  return headers.filter((_text, at) => {
    const name = headers[at - (at % 2)]!.toLowerCase();
    return !isDropped(name) && !named.has(name);
  });
}
