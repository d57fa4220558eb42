import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { describeThrown } from '@art/ground';
import {
  answerHeaders,
  type CallHead,
  type LinkStream,
  mostHeadBytes,
  requestHeaders,
  seenReason,
  type StreamEvents,
  writeHead,
} from '@art/protocol/reach';

/** Where the calls of a session go. */
export interface CallTarget {
  /** The gateway's address, without a slash at its end. */
  gatewayUrl: string;
  /** The key of the session at the gateway, where it asks for one. */
  apiKey: string | undefined;
}

/**
 * Passes a call of an agent on to the gateway, and its answer back. The gateway has the whole call only with its last byte: one
 * that is cut before it samples nothing.
 * @param mayEnd asked just before the last byte of the call is sent; false where the gateway has the same call already
 * @returns what is to happen with what comes of the stream
 */
export function forwardCall(
  stream: LinkStream,
  { method, path, headers, bodyBytes }: CallHead,
  { gatewayUrl, apiKey }: CallTarget,
  mayEnd: () => boolean,
): StreamEvents {
  const url = new URL(gatewayUrl);
  const sent = [...requestHeaders(headers), 'host', url.host];
  if (apiKey !== undefined) sent.push('authorization', `Bearer ${apiKey}`);
  if (bodyBytes > 0 || method === 'POST') sent.push('content-length', String(bodyBytes));
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = open({
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + path,
    method,
    headers: sent,
  });
  let left = bodyBytes;
  let answer: IncomingMessage | undefined;
  const fail = (why: string): void => {
    stream.reset(why);
    request.destroy();
  };
  request.on('error', (error) =>
    fail(`The trainer could not reach the gateway: ${describeThrown(error).message}`),
  );
  request.on('response', (response) => {
    answer = response;
    passAnswer(stream, response, fail);
  });
  return {
    onData: (bytes) => {
      left -= bytes.length;
      if (left < 0) return fail('The call has more bytes than it said');
      request.write(bytes, () => stream.read(bytes.length));
    },
    onEnd: () => {
      if (left !== 0) return fail('The call has fewer bytes than it said');
      if (!mayEnd()) return fail(seenReason);
      request.end();
    },
    onDrain: () => answer?.resume(),
    // The agent has gone, or the socket: the gateway notices that nobody listens any more.
    onReset: () => destroyQuietly(request),
  };
}

function passAnswer(stream: LinkStream, response: IncomingMessage, fail: (why: string) => void): void {
  const status = response.statusCode!;
  if (status > 599) return fail(`The gateway answered with status ${status}`);
  const head = writeHead({ status, headers: answerHeaders(response.rawHeaders) });
  if (head.length > mostHeadBytes) return fail('The gateway answered with too many headers');
  stream.head(head);
  response.on('data', (bytes: Buffer) => {
    if (!stream.data(bytes)) response.pause();
  });
  response.on('end', () => stream.end());
  response.on('error', () => fail('The connection to the gateway broke'));
}

function destroyQuietly(request: ClientRequest): void {
  request.on('error', () => {});
  request.destroy();
}
