import type { AddressInfo } from 'node:net';
import { maxPayloadBytes } from '@art/protocol';
import { refuseMalformed, requestTimeLimits } from '@art/ground';
import { fastify, type FastifyInstance } from 'fastify';
import { requestIdOf } from '../request/create-request-context.ts';
import type { Redaction } from '../logging/redaction.ts';
import { loggerOptions, type LoggingConfig } from '../logging/logger-options.ts';
import { acceptEveryContentType, type ContentTypeParserConfig } from './content-types.ts';
import { refuseRequests } from './refuse-requests.ts';
import { replyWithError } from './error-reply.ts';
import { LingeringResponse } from './lingering-response.ts';
import { withholdContinue } from './request-limits.ts';

/** Configuration in the shape of AWS's TypeScript SDK. */
export interface AppConfig {
  logging?: LoggingConfig;
  /** Own parsers for content types that are not JSON. Every other body is read as JSON. */
  contentTypeParsers?: ContentTypeParserConfig[];
}

/**
 * A Fastify instance that takes everything that AgentCore sends to a container.
 * @param redaction takes secrets out of every line of the log
 * @param publicAddress where callers reach the server; undefined while it does not listen
 */
export function createHttpServer(
  config: AppConfig,
  redaction: Redaction,
  publicAddress: () => AddressInfo | undefined,
): FastifyInstance {
  const server: FastifyInstance = fastify({
    bodyLimit: maxPayloadBytes,
    ...loggerOptions(config.logging, redaction),
    genReqId: (raw) => requestIdOf(raw.headers),
    // The platform's Host header is an internal name; nothing here depends on it, or on there being one.
    http: {
      requireHostHeader: false,
      ServerResponse: LingeringResponse,
      ...requestTimeLimits,
    },
    requestTimeout: requestTimeLimits.requestTimeout,
    clientErrorHandler: refuseMalformed,
    // A stream or a socket that is open must not hold up the end of the process.
    forceCloseConnections: true,
  });
  withholdContinue(server.server, maxPayloadBytes);
  refuseRequests(server, publicAddress);
  acceptEveryContentType(server, config.contentTypeParsers);
  server.setErrorHandler((error, request, reply) => replyWithError(request, reply, error));
  server.setNotFoundHandler((_request, reply) =>
    reply.status(404).header('content-type', 'application/json').send('{"error":"Not Found"}'),
  );
  return server;
}
