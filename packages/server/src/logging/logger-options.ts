import type { IncomingHttpHeaders } from 'node:http';
import { inspect } from 'node:util';
import { runtimeHeaders } from '@art/protocol';
import type { FastifyBaseLogger, FastifyLoggerOptions, FastifyRequest, FastifyServerOptions } from 'fastify';
import { headerOf } from '../context/create-request-context.ts';
import type { LogRedaction } from './log-redaction.ts';

/** What is logged, in the shape of AWS's TypeScript SDK. */
export interface LoggingConfig {
  /** @default true */
  enabled?: boolean;
  /** Lowest level that is written. @default 'info' */
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Leave out "incoming request" and "request completed": for all requests, or by a function. @default pings only */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean);
  /** Further options for the logger (pino); they win over the defaults here. `stream` redirects the lines. */
  options?: FastifyLoggerOptions | Record<string, unknown>;
}

// AWS's Python SDK logs with Python's level names, and its log queries look for them.
const levelNames: Record<string, string> = { warn: 'WARNING', fatal: 'CRITICAL' };

/**
 * Options for Fastify's logger: one JSON object a line with the fields that AWS's Python SDK writes (`timestamp`,
 * `level`, `message`, `logger`, `requestId`, `sessionId`, `errorType`, `errorMessage`, `stackTrace`), so that log
 * queries work for agents in both languages.
 */
export function loggerOptions(
  config: LoggingConfig = {},
  redaction?: LogRedaction,
): NonNullable<FastifyServerOptions['logger']> {
  if (config.enabled === false) return false;
  const hooks = (config.options as { hooks?: LogHooks } | undefined)?.hooks;
  return {
    level: config.level ?? 'info',
    base: { logger: 'art.server' },
    messageKey: 'message',
    timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: levelNames[label] ?? label.toUpperCase() }),
      log: flattenError,
    },
    ...config.options,
    ...(redaction === undefined ? {} : { hooks: withRedaction(hooks, redaction) }),
  };
}

/** The hooks of pino, as far as they concern the redaction. */
interface LogHooks {
  streamWrite?: (line: string) => string;
}

// On the finished line nothing can hide from it: message, fields and the bindings of child loggers.
function withRedaction(hooks: LogHooks | undefined, redaction: LogRedaction): LogHooks {
  const further = hooks?.streamWrite;
  return {
    ...hooks,
    streamWrite: (line) => {
      const redacted = redaction.redactLine(line);
      return further === undefined ? redacted : further(redacted);
    },
  };
}

/** Which requests are not logged. */
export function disabledRequestLogging(
  config: LoggingConfig = {},
): boolean | ((request: FastifyRequest) => boolean) {
  // The platform pings about every two seconds.
  return config.disableRequestLogging ?? ((request) => request.url === '/ping');
}

/** Makes the logger of a request: what it writes names the session, where the caller did. */
export function requestLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
  options: object,
  raw: { headers: IncomingHttpHeaders },
): FastifyBaseLogger {
  const sessionId = headerOf(raw.headers, runtimeHeaders.sessionId);
  return logger.child(sessionId === undefined ? bindings : { ...bindings, sessionId }, options);
}

function flattenError(line: Record<string, unknown>): Record<string, unknown> {
  const { err, ...rest } = line;
  if (!(err instanceof Error)) return line;
  return {
    ...rest,
    errorType: err.name,
    errorMessage: err.message,
    stackTrace: (err.stack ?? '').split('\n'),
    ...(err.cause === undefined
      ? {}
      : { errorCause: err.cause instanceof Error ? err.cause.message : inspect(err.cause) }),
  };
}
