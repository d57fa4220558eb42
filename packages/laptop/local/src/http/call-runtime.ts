import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import {
  acceptedAnswers,
  classifyRuntimeFailure,
  type InvocationOptions,
  runtimeHeaders,
  whenRequestLeaves,
} from '@art/protocol';

export type RuntimeOperation = 'InvokeAgentRuntime' | 'StopRuntimeSession';

/** One POST of JSON text for a session. */
export interface RuntimeCall {
  url: string;
  sessionId: string;
  body: string;
  agent: Agent;
}

/** A complete answer, read to its end whatever its status: an unread one would keep its socket. */
export interface RuntimeAnswer {
  httpStatus: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Calls a runtime over HTTP. Not `fetch`, which gives up after 300 s without a header while a call may take 15 minutes.
 * @throws RuntimeError where no answer came, which says whether the request has left; the signal's reason
 */
export async function callRuntime(
  operation: RuntimeOperation,
  call: RuntimeCall,
  { signal, onLeaving }: InvocationOptions = {},
): Promise<RuntimeAnswer> {
  signal?.throwIfAborted();
  let hasLeft = false;
  const onLeft = (): void => {
    hasLeft = true;
    onLeaving?.();
  };
  try {
    return await post(call, signal, onLeft);
  } catch (cause) {
    signal?.throwIfAborted();
    throw classifyRuntimeFailure({ operation, cause, hasLeft });
  }
}

function post(
  { url, sessionId, body, agent }: RuntimeCall,
  signal: AbortSignal | undefined,
  onLeaving: () => void,
): Promise<RuntimeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RuntimeAnswer>();
  const send = url.startsWith('https:') ? httpsRequest : request;
  const outgoing = send(url, {
    method: 'POST',
    agent,
    signal,
    headers: {
      [runtimeHeaders.sessionId]: sessionId,
      'content-type': 'application/json',
      accept: acceptedAnswers,
      'content-length': Buffer.byteLength(body),
    },
  });
  whenRequestLeaves(outgoing, onLeaving);
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
