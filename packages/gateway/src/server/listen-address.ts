import type { AddressInfo } from 'node:net';
import { ArtError } from '@art/protocol';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './gateway.ts';

/** Where a server listens. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** How a server that listens is reached. */
export function listenedAt(app: FastifyInstance, at: ListenAddress): Pick<Gateway, 'url' | 'port'> {
  const { port } = app.server.address() as AddressInfo;
  const { host } = at;
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** What to throw where listening failed. */
export function listenError(error: unknown, at: ListenAddress): unknown {
  if ((error as { code?: unknown }).code !== 'EADDRINUSE') return error;
  return new ArtError({
    code: 'ART_PORT_TAKEN',
    message: `Expected port ${at.port} on ${at.host} to be free, but another program listens there. Choose another port, or 0 for any.`,
    cause: error,
  });
}
