import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ArtError,
  type ErrorCode,
  isJsonObject,
  type JsonObject,
  parseJson,
  refusedCaller,
  noRouteSchemas,
  refuseMalformed,
  requestTimeLimits,
} from '@art/ground';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { duration, versionOf } from '../request/collect-request.ts';
import type { CollectService } from '../run/collect-service.ts';

export interface ServeHttpOptions {
  service: CollectService;
  /** @default '127.0.0.1' */
  host?: string | undefined;
  /** 0 takes a free one. @default 9292 */
  port?: number | undefined;
  /** Asked for as Bearer token. @default none */
  token?: string | undefined;
  /** Longest request body. @default 268_435_456 */
  bodyLimitBytes?: number | undefined;
}

/** The HTTP face of the service. */
export interface CollectServer extends AsyncDisposable {
  url: string;
  /** Ends streams and lets go of the port; the service is the caller's. */
  close(): Promise<void>;
}

const statusOf: Partial<Record<ErrorCode, number>> = {
  ART_INVALID_OPTION: 400,
  ART_JSON_PARSE: 400,
  ART_COLLECT_UNKNOWN_REQUEST: 404,
  ART_COLLECT_REQUEST_CHANGED: 409,
  ART_COLLECT_ACKNOWLEDGED: 409,
  ART_COLLECT_CANCELLED: 410,
  ART_COLLECT_STOPPING: 503,
  ART_GATEWAY_UNREACHABLE: 503,
};

/**
 * Serves `POST /groups` and what belongs to it; the README has the list. Groups are written only as fast as they are read.
 * @throws ArtError `ART_PORT_TAKEN`
 */
export async function serveHttp(options: ServeHttpOptions): Promise<CollectServer> {
  const { service, host = '127.0.0.1', port = 9292, token, bodyLimitBytes = 268_435_456 } = options;
  const server = fastify({
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    clientErrorHandler: refuseMalformed,
    http: requestTimeLimits,
    requestTimeout: requestTimeLimits.requestTimeout,
    schemaController: noRouteSchemas,
  });
  const ending = new AbortController();

  // Numbers of a payload reach the agent as they were written; only JSON is taken, so that no web page can send it unasked.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    try {
      done(null, text === '' ? undefined : parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });
  server.addHook('onRequest', async (request, reply) => {
    const refusal = refusedCaller(request.raw, { host });
    if (refusal !== undefined)
      return await reply.code(403).send(errorBody('ART_COLLECT_DENIED', refusal.message));
    if (token === undefined || request.url === '/health' || isToken(request, token)) return undefined;
    return await reply
      .code(401)
      .send(errorBody('ART_COLLECT_DENIED', 'Expected the token as "Authorization: Bearer ...".'));
  });
  server.setErrorHandler((error, _, reply) => {
    const { code, message, statusCode } = error as Error & { code?: string; statusCode?: number };
    const status = ArtError.isInstance(error) ? (statusOf[error.code] ?? 502) : (statusCode ?? 500);
    void reply.code(status).send(errorBody(code ?? 'internal', message));
  });
  server.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send(errorBody('ART_INVALID_OPTION', `There is no ${request.method} ${request.url} here.`)),
  );

  server.get('/health', () => ({ status: 'ok', draining: service.isDraining }));
  server.get('/requests', () => service.requests());
  server.post('/groups', async (request, reply) => {
    const signal = AbortSignal.any([ending.signal, hangUp(reply)]);
    const lines = await service.groups(request.body, signal);
    // One line ahead and no more: anyone who does not read is not worked for.
    const stream = Readable.from(withLineEnds(lines), { objectMode: false, highWaterMark: 1 });
    return reply.type('application/x-ndjson').send(stream);
  });
  server.post<{ Params: { id: string } }>('/requests/:id/acknowledge', async ({ params, body }) => ({
    acknowledged: await service.acknowledge(params.id, fields(body, ['groups'])['groups']),
  }));
  server.delete<{ Params: { id: string } }>('/requests/:id', async ({ params }) => {
    await service.cancel(params.id);
    return { cancelled: params.id };
  });
  server.post('/drain', async ({ body }, reply) => {
    const deadlineMs = duration('deadline_ms', fields(body, ['deadline_ms'])['deadline_ms']);
    const report = await service.drain(deadlineMs, AbortSignal.any([ending.signal, hangUp(reply)]));
    return { drained: report.drained, open_groups: report.openGroups };
  });
  server.post('/continue', async ({ body }) => {
    await service.continue(versionOf(fields(body, ['policy_version'])['policy_version']));
    return { continued: true };
  });

  try {
    const url = await server.listen({ host, port });
    const close = async (): Promise<void> => {
      ending.abort(new ArtError({ code: 'ART_COLLECT_STOPPING', message: 'The sidecar is ending.' }));
      await server.close();
    };
    return { url, close, [Symbol.asyncDispose]: close };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new ArtError({
      code: 'ART_PORT_TAKEN',
      message: `Expected port ${port} of ${host} to be free, but another program listens on it. Choose another one; 0 takes a free one.`,
      cause,
    });
  }
}

async function* withLineEnds(lines: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(`${line}\n`);
}

/** Aborts when the other side has gone before all was sent. */
function hangUp(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the reader has gone'));
  });
  return gone.signal;
}

/** @throws ArtError `ART_INVALID_OPTION` for a body with other fields */
function fields(body: unknown, allowed: readonly string[]): JsonObject {
  if (body === undefined || body === null) return {};
  const isObject = isJsonObject(body);
  const other = isObject ? Object.keys(body).find((name) => !allowed.includes(name)) : body;
  if (isObject && other === undefined) return body as JsonObject;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected an object of ${allowed.join(', ')}, got ${JSON.stringify(other)}.`,
  });
}

function isToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function errorBody(code: string, message: string): object {
  return { error: { code, message } };
}
