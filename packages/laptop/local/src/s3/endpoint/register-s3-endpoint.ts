import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { refusedCaller } from '@art/ground';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { S3Call, S3EndpointOptions, S3Reply, S3Settings } from '../operations/s3-call.ts';
import { runS3Operation } from '../operations/s3-operation.ts';
import { s3OperationName } from '../operations/s3-operation-name.ts';
import { resolveS3Settings } from '../operations/s3-settings.ts';
import { toS3Error } from '../operations/to-s3-error.ts';
import { parseS3Target } from '../wire/s3-address.ts';
import { accessDenied } from '../wire/s3-error.ts';

/** Ends a request without an answer: its connection is reset, or stays open for as long as the client likes. */
export class ConnectionFault extends Error {
  readonly kind: 'reset' | 'silence';

  constructor(kind: 'reset' | 'silence') {
    super(`The request gets no answer: ${kind}.`);
    this.name = 'ConnectionFault';
    this.kind = kind;
  }
}

/**
 * Adds an S3 endpoint (path style) to a Fastify server: every path that no other route takes is a bucket or an object.
 * Credentials and signatures are not looked at. Call it before the server listens, once per server: it takes over the
 * server's `checkContinue` event.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export async function registerS3Endpoint(
  fastify: FastifyInstance,
  options: S3EndpointOptions = {},
): Promise<void> {
  const settings = resolveS3Settings(options);
  for (const bucket of settings.buckets) await settings.backend.createBucket(bucket);
  const waiting = deferContinue(fastify.server);
  await fastify.register(async (scope) => {
    // The answer is given here because everything later in Fastify's life cycle would look at content type and body, and
    // refuse what S3 takes: an object may have any content type, also a malformed one.
    scope.addHook('onRequest', (request, reply) => {
      answer(request, reply, settings, waiting).catch((error: unknown) => {
        request.log.error(error);
        reply.raw.destroy();
      });
    });
    scope.all('*', () => {
      throw new Error('Requests to the S3 endpoint are answered before they are routed.');
    });
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: S3Settings,
  waiting: WeakSet<IncomingMessage>,
): Promise<void> {
  const { raw } = request;
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new Error('The client closed the connection.')));
  let outcome: S3Reply;
  try {
    const refusal = refusedCaller(raw, { host: hostOf(request.server) });
    if (refusal !== undefined) throw accessDenied(refusal.message);
    const target = parseS3Target(raw.url ?? '/');
    const method = raw.method ?? 'GET';
    const call: S3Call = {
      ...target,
      operation: s3OperationName(method, target),
      method,
      headers: raw.headers,
      body: raw,
      askForBody: () => {
        if (waiting.delete(raw)) reply.raw.writeContinue();
      },
      signal: gone.signal,
      settings,
    };
    outcome = await settings.intercept(call, runS3Operation);
  } catch (error) {
    if (error instanceof ConnectionFault) {
      reply.hijack();
      if (error.kind === 'reset') raw.socket.resetAndDestroy();
      return;
    }
    const isGone = gone.signal.aborted || (raw.destroyed && !raw.complete);
    outcome = refusalOf(error, request, requestId);
    // A client that went away is no failure of the endpoint.
    if (outcome.statusCode === 500 && !isGone) request.log.error(error);
  }
  void reply.code(outcome.statusCode).headers({ ...outcome.headers, 'x-amz-request-id': requestId });
  // A body that was announced and never asked for would make the next request on this connection unreadable.
  if (waiting.has(raw)) void reply.header('connection', 'close');
  void reply.send(raw.method === 'HEAD' ? undefined : outcome.body);
}

/** Where it listens; requests that are injected come from this process. */
function hostOf({ server }: FastifyInstance): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.address : '127.0.0.1';
}

function refusalOf(error: unknown, request: FastifyRequest, requestId: string): S3Reply {
  const refused = toS3Error(error);
  return {
    statusCode: refused.statusCode,
    headers: { ...refused.headers, 'content-type': 'application/xml' },
    body: refused.toXml(request.raw.url ?? '/', requestId),
  };
}

/**
 * Holds back the `100 Continue` that Node would send at once, so that a PUT that cannot succeed is refused before its body
 * travels. A server has one place to decide that, for all its routes: every other method is let through at once.
 * @returns the requests whose client waits for leave to send its body
 */
function deferContinue(server: Server): WeakSet<IncomingMessage> {
  const waiting = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT') waiting.add(request);
    else response.writeContinue();
    server.emit('request', request, response);
  });
  return waiting;
}
