import fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type FastifyError,
  type FastifyReply,
} from 'fastify';
import { registerTrajectoryRoutes } from '../control/routes/trajectory-routes.ts';
import type { GatewayServices } from '../calls/call/gateway-services.ts';
import {
  registerAdminRoutes,
  registerHealthRoutes,
  registerMetricsRoutes,
} from '../control/routes/operator-routes.ts';
import { registerSessionRoutes } from '../control/routes/session-routes.ts';
import { registerCaptureRoutes } from '../control/routes/capture-routes.ts';
import { registerWorkerRoutes } from '../control/routes/worker-routes.ts';
import {
  type IncomingMessage,
  type ServerResponse,
  type IncomingHttpHeaders,
  createServer,
  type Server,
} from 'node:http';
import { handleCall } from '../calls/handle-call.ts';
import { parseProxyPath, type ProxyTarget } from '../http/proxy-path.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, apiErrorBody, ownErrors } from '../http/api-error.ts';
import { apiKeyOf } from '../sessions/identify-session.ts';
import { ArtError, noRouteSchemas, refuseMalformed, requestTimeLimits } from '@art/ground';
import { InvalidField } from '../control/request-fields.ts';
import { refuseCaller } from '../http/refuse-caller.ts';

/** One group of control routes. */
type RouteGroup = (app: FastifyInstance, services: GatewayServices) => void;

/** All control routes; another group is one more entry. */
const routeGroups: readonly RouteGroup[] = [
  registerHealthRoutes,
  registerMetricsRoutes,
  registerSessionRoutes,
  registerCaptureRoutes,
  registerTrajectoryRoutes,
  registerWorkerRoutes,
  registerAdminRoutes,
];

/** Serves a request on its bare connection; false for one that is not of the model API. */
function serveModelCall(
  services: GatewayServices,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { url = '/', method = 'GET' } = request;
  let target: ProxyTarget | undefined;
  try {
    target = parseProxyPath(url, method);
  } catch {
    sendJson(response, 400, JSON.stringify({ detail: 'The URL is not well-formed.' }));
    return true;
  }
  if (target === undefined) return false;
  if (method !== 'GET' && method !== 'POST') {
    response.setHeader('allow', 'GET, POST');
    sendJson(response, 405, JSON.stringify({ detail: 'Method Not Allowed' }));
    return true;
  }
  void handleCall(services, request, response, target);
  return true;
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

/** Options of the logger. Whatever is logged, credentials are not. */
function loggerOptions(level: string): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    base: { logger: 'art.gateway' },
    redact: {
      paths: ['authorization', 'headers.authorization', 'headers["x-api-key"]', 'headers.cookie'].flatMap(
        (path) => [path, `*.${path}`],
      ),
      censor: '[redacted]',
    },
  };
}

/** Makes a check for the admin token. @throws ApiError 401 */
function adminCheck(adminToken: string | undefined): (headers: IncomingHttpHeaders) => void {
  if (adminToken === undefined) return () => undefined;
  const expected = digest(adminToken);
  return (headers) => {
    const given = apiKeyOf(headers);
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    throw new ApiError({
      status: 401,
      message: 'Expected the admin token as `Authorization: Bearer`.',
      code: 'admin_token_required',
    });
  };
}

// Digests have one length, so the comparison does not reveal the length of the token.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

// An agent may think for a while between two turns and find its connection alive.
const keepAliveTimeoutMs = 75_000;
const openPaths = new Set(['/health', '/healthz']);

/** Options of the HTTP server itself. */
interface GatewayServerOptions {
  logLevel: string;
  adminToken: string | undefined;
  bodyLimitBytes: number;
}

/** An HTTP server that does not serve yet. */
interface GatewayServer {
  readonly app: FastifyInstance;
  /** Installs what answers; to be called once, before the server listens. */
  install(services: GatewayServices): void;
}

/**
 * The one HTTP server. Calls to the model API are served on the bare request, as their bodies are passed on and never
 * parsed as a whole; everything else is Fastify's.
 */
export function createGatewayServer(options: GatewayServerOptions): GatewayServer {
  let installed: GatewayServices | undefined;
  const app = fastify({
    logger: loggerOptions(options.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    clientErrorHandler: refuseMalformed,
    bodyLimit: options.bodyLimitBytes,
    // Fastify sets its own, none, on a server that it was given.
    requestTimeout: requestTimeLimits.requestTimeout,
    schemaController: noRouteSchemas,
    routerOptions: { maxParamLength: 4_096, ignoreTrailingSlash: true },
    serverFactory: (handler): Server =>
      createServer(
        { ...requestTimeLimits, keepAliveTimeout: keepAliveTimeoutMs, noDelay: true },
        (request, response) => {
          const isServed = installed !== undefined && serveModelCall(installed, request, response);
          if (!isServed) handler(request, response);
        },
      ),
  });
  return {
    app,
    install(services) {
      installed = services;
      acceptAnyBody(app);
      guard(app, options.adminToken, services.options);
      app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not Found' }));
      app.setErrorHandler((error: FastifyError, _request, reply) => tellError(app, error, reply));
      for (const register of routeGroups) register(app, services);
    },
  };
}

// Control bodies are read leniently by their routes, whatever type they claim.
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function guard(
  app: FastifyInstance,
  adminToken: string | undefined,
  callers: GatewayServices['options'],
): void {
  const checkAdmin = adminCheck(adminToken);
  app.addHook('onRequest', async (request) => {
    refuseCaller(request.raw, callers);
    if (!openPaths.has(request.url.split('?', 1)[0]!)) checkAdmin(request.headers);
  });
}

function tellError(app: FastifyInstance, error: FastifyError, reply: FastifyReply): void {
  if (error instanceof InvalidField) {
    const detail = [{ loc: [error.field], msg: error.message, type: 'value_error' }];
    void reply.code(422).send({ detail });
    return;
  }
  if (error instanceof ApiError) {
    const { failure } = error;
    void reply.code(failure.status).type('application/json').send(apiErrorBody('other', failure));
    return;
  }
  const status = ArtError.isInstance(error)
    ? (ownErrors[error.code]?.status ?? 500)
    : (error.statusCode ?? 500);
  if (status >= 500) app.log.error({ err: error }, 'control request failed');
  void reply.code(status).send({ error: status === 500 ? 'Internal Server Error' : error.message });
}
