import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, apiErrorBody } from '../proxy/api-error.ts';
import { ClientReply } from '../proxy/client-reply.ts';
import type { ProxyEndpoint } from '../proxy/proxy-path.ts';
import type { FrontContext } from './front-context.ts';
import { pipedReplyHeaders, pipedRequestHeaders } from './piped-headers.ts';
import type { RoutedCall } from './route-call.ts';
import { processLost, reachShard } from './shards.ts';

/** A request on its way to a gateway process. */
export interface PipedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** In whose wire failures are told. */
  endpoint: ProxyEndpoint;
  /** @throws ApiError */
  route: () => RoutedCall | Promise<RoutedCall>;
}

/** Passes a request on byte for byte, and its answer as it comes, each no faster than it is taken. Never rejects. */
export async function pipeRequest(context: FrontContext, piped: PipedRequest): Promise<void> {
  const reply = new ClientReply(piped.response);
  const gone = new AbortController();
  reply.whenGone(() => gone.abort());
  const leave = context.inFlight.enter(undefined, () => gone.abort());
  try {
    await pipe(piped, reply, gone.signal);
  } catch (error) {
    tellFailure(context, piped, reply, error);
  } finally {
    leave();
  }
}

async function pipe(
  { request, route }: PipedRequest,
  reply: ClientReply,
  signal: AbortSignal,
): Promise<void> {
  const { shard, body } = await route();
  const sent = {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: pipedRequestHeaders(request.rawHeaders),
    body: body ?? (hasBody(request) ? request : undefined),
    signal,
  };
  const answer = await reachShard(shard, (link) => link.send(sent));
  reply.commit(answer.status, pipedReplyHeaders(answer.headers));
  // A heartbeat or a stream that thinks first: the status is meant to arrive now.
  if (answer.headers['content-length'] === undefined) reply.flushHeaders();
  for await (const chunk of answer.body) await reply.write(chunk);
  reply.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function tellFailure(
  { log }: FrontContext,
  { request, endpoint }: PipedRequest,
  reply: ClientReply,
  error: unknown,
): void {
  if (reply.state === 'gone' || reply.state === 'ended') return;
  if (reply.state === 'committed') {
    // Nothing can be added to bytes that are not ours: only a broken connection tells.
    reply.destroy();
    return;
  }
  if (!(error instanceof ApiError))
    log.warn({ err: error, url: request.url }, 'gateway process gave no answer');
  const failure = error instanceof ApiError ? error.failure : processLost;
  const headers = {
    'content-type': 'application/json',
    ...(failure.status === 503 ? { 'retry-after': '1' } : {}),
  };
  reply.send(failure.status, headers, apiErrorBody(endpoint, failure));
}
