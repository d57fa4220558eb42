import type { AddressInfo } from 'node:net';
import { ArtError } from '@art/protocol';
import type { FastifyInstance } from 'fastify';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { resolveGatewayOptions, type ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { assembleGateway } from './gateway-context.ts';
import { createGatewayServer } from './gateway-server.ts';
import { openStore, type OpenedStore } from './open-store.ts';
import { openTransports, type Transports } from './open-transports.ts';
import type { RouteContext } from './route-context.ts';

/** A gateway that is running. */
export interface Gateway extends AsyncDisposable {
  /** `http://host:port`; `{url}/v1` is what an OpenAI client wants as its base URL, `{url}` an Anthropic one. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new calls, waits for those under way (`shutdownGraceMs`, then they are broken off), and closes what the gateway
   * opened itself. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Starts a gateway; it answers when the promise resolves.
 * @throws ArtError `ART_INVALID_OPTION`; `ART_PORT_TAKEN`; `ART_GATEWAY_STORE_LOCKED` and `ART_GATEWAY_STORE_FAILED` for a
 * directory of traces that cannot be used
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const resolved = resolveGatewayOptions(options);
  const opened = await openStore(resolved.store);
  const transports = await openTransports(resolved).catch(async (error: unknown) => {
    await closeStore(opened);
    throw error;
  });
  const server = createGatewayServer({
    logLevel: resolved.logLevel,
    adminToken: resolved.auth.adminToken,
    bodyLimitBytes: resolved.bodyLimitBytes,
  });
  const { app } = server;
  const parts = { options: resolved, store: opened.store, log: app.log, ...transports };
  const { context, stop } = assembleGateway(parts);
  const running = { app, context, stop, opened, transports };
  server.install(context);
  try {
    await app.listen({ host: resolved.host, port: resolved.port });
  } catch (error) {
    await closeAll(running);
    throw portError(error, resolved);
  }
  return gatewayOf(running);
}

interface Running {
  app: FastifyInstance;
  context: RouteContext;
  stop: () => Promise<void>;
  opened: OpenedStore;
  transports: Transports;
}

function gatewayOf(running: Running): Gateway {
  const { context, app } = running;
  const { port } = app.server.address() as AddressInfo;
  const { host } = context.options;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= drainAndClose(running));
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

// A call that was told to end needs a moment to say so to its agent.
const partingMs = 2_000;

async function drainAndClose(running: Running): Promise<void> {
  const { inFlight, options } = running.context;
  inFlight.close();
  if (!(await inFlight.idle(options.shutdownGraceMs))) {
    inFlight.cancelAll();
    await inFlight.idle(partingMs);
  }
  await closeAll(running);
}

async function closeAll({ app, stop, opened, transports }: Running): Promise<void> {
  await app.close();
  await stop();
  if (transports.chat !== transports.http) await transports.chat.close();
  await transports.http.close();
  await closeStore(opened);
}

async function closeStore({ store, owned }: OpenedStore): Promise<void> {
  await store.flush();
  if (owned) await store.close();
}

function portError(error: unknown, { host, port }: ResolvedGatewayOptions): unknown {
  if ((error as { code?: unknown }).code !== 'EADDRINUSE') return error;
  return new ArtError({
    code: 'ART_PORT_TAKEN',
    message: `Expected port ${port} on ${host} to be free, but another program listens there. Choose another port, or 0 for any.`,
    cause: error,
  });
}
