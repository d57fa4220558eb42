import type { FastifyServerOptions } from 'fastify';

/** Options of the logger. Whatever is logged, credentials are not. */
export function loggerOptions(level: string): NonNullable<FastifyServerOptions['logger']> {
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
