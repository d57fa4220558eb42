import type { IncomingHttpHeaders } from 'node:http';
import { inspect } from 'node:util';
import { describeThrown, readMember } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import {
  type FastifyBaseLogger,
  type FastifyLoggerOptions,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { headerOf } from '../request/create-request-context.ts';
import type { Redaction } from './redaction.ts';

/** The options of logging, in the shape of AWS's TypeScript SDK. */
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
 * The options of Fastify that concern its log: one JSON object a line with the fields that AWS's Python SDK writes (`timestamp`,
 * `level`, `message`, `logger`, `requestId`, `sessionId`, `errorType`, `errorMessage`, `stackTrace`), so that log
 * queries work for agents in both languages.
 */
export function loggerOptions(config: LoggingConfig = {}, redaction: Redaction): LoggerOptions {
  const { enabled = true, level = 'info', disableRequestLogging, options = {} } = config;
  const { hooks = {} } = options as { hooks?: LogHooks };
  const { streamWrite = (line) => line, logMethod } = hooks;
  const logger = {
    level,
    base: { logger: 'art.server' },
    messageKey: 'message',
    timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: levelNames[label] ?? label.toUpperCase() }),
      log: flattenError,
    },
    ...options,
    hooks: {
      ...hooks,
      // On the finished line nothing can hide from it: message, fields and the bindings of child loggers.
      streamWrite: (line: string) => streamWrite(redaction.redactLine(line)),
      logMethod: withoutThrowing(logMethod),
    },
  };
  return {
    logger: enabled && logger,
    logController: new LogController({
      // The platform pings about every two seconds.
      disableRequestLogging: disableRequestLogging ?? (({ url }) => url === '/ping'),
      requestIdLogLabel: 'requestId',
    }),
    childLoggerFactory: requestLogger,
  };
}

type LoggerOptions = Required<Pick<FastifyServerOptions, 'logger' | 'logController' | 'childLoggerFactory'>>;

/** The hooks of pino, as far as they concern the redaction. */
interface LogHooks {
  streamWrite?: (line: string) => string;
  logMethod?: LogMethodHook;
}

type LogMethod = (...line: unknown[]) => void;
type LogMethodHook = (this: unknown, line: unknown[], method: LogMethod, level: number) => void;

// What is logged may be anything that a handler threw, and may throw itself when it is looked at. That must not keep the
// caller of the log from what comes next, such as storing a result.
function withoutThrowing(further: LogMethodHook | undefined): LogMethodHook {
  return function logMethod(line, method, level) {
    // Nothing is not worth a line.
    if (line.length === 1 && line[0] === '') return;
    try {
      if (further === undefined) method.apply(this, line);
      else further.call(this, line, method, level);
    } catch (error) {
      const words = line.filter((part) => typeof part === 'string').join(' ');
      const problem = `the rest of this line could not be logged: ${describeThrown(error).message}`;
      try {
        method.call(this, `${words} (${problem})`);
      } catch {
        // Where not even that can be written, there is nobody left to tell.
      }
    }
  };
}

/** Makes the logger of a request: what it writes names the session, where the caller did. */
function requestLogger(
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
  const { name, message, stack = '' } = describeThrown(err);
  const isError = name !== typeof err;
  if (!isError) return line;
  const cause = readMember(err, 'cause');
  return {
    ...rest,
    errorType: name,
    errorMessage: message,
    stackTrace: stack.split('\n'),
    ...(cause === undefined ? {} : { errorCause: describeCause(cause) }),
  };
}

function describeCause(cause: unknown): string {
  const { name, message } = describeThrown(cause);
  return name === 'object' ? inspect(cause) : message;
}
