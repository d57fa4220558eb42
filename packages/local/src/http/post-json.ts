import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { whenRequestLeaves } from '@art/protocol';

export interface PostJson {
  url: string;
  headers: OutgoingHttpHeaders;
  body: string;
  agent: Agent;
  signal?: AbortSignal | undefined;
  /** Called when the first byte is about to leave this process. */
  onLeaving?: (() => void) | undefined;
}

/** A complete answer, read to its end whatever its status: an unread one would keep its socket. */
export interface PostedAnswer {
  httpStatus: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One POST of JSON text. Not `fetch`, which gives up after 300 s without a header while a call may take 15 minutes. */
export function postJson({ url, headers, body, agent, signal, onLeaving }: PostJson): Promise<PostedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PostedAnswer>();
  const send = url.startsWith('https:') ? httpsRequest : request;
  const outgoing = send(url, {
    method: 'POST',
    agent,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  if (onLeaving !== undefined) whenRequestLeaves(outgoing, onLeaving);
  outgoing.on('error', reject);
  outgoing.once('response', (response) => {
    text(response).then(
      (answer) => resolve({ httpStatus: response.statusCode ?? 0, headers: response.headers, body: answer }),
      reject,
    );
  });
  outgoing.end(body);
  return promise;
}
