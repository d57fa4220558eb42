import type { AddressInfo } from 'node:net';
import { ArtError } from '@art/protocol';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from './gateway.ts';

/** Where a server listens: for everybody who may reach the address, or on a socket for other processes of this user. */
export type ListenAddress = { host: string; port: number } | { path: string };

/** How a server that listens is reached. */
export function listenedAt(app: FastifyInstance, at: ListenAddress): Pick<Gateway, 'url' | 'port'> {
  if ('path' in at) return { url: `unix:${at.path}`, port: 0 };
  const { port } = app.server.address() as AddressInfo;
  const { host } = at;
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** What to throw where listening failed. */
export function listenError(error: unknown, at: ListenAddress): unknown {
  if ('path' in at || (error as { code?: unknown }).code !== 'EADDRINUSE') return error;
  return new ArtError({
    code: 'ART_PORT_TAKEN',
    message: `Expected port ${at.port} on ${at.host} to be free, but another program listens there. Choose another port, or 0 for any.`,
    cause: error,
  });
}
