import type { FastifyInstance } from 'fastify';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import type { Gateway } from './gateway.ts';
import { assembleGateway } from './gateway-context.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import { createGatewayServer } from './gateway-server.ts';
import { listenedAt, listenError } from './listen-address.ts';
import { openStore, type OpenedStore } from './open-store.ts';
import { openTransports, type Transports } from './open-transports.ts';
import type { RouteContext } from '../control/route-context.ts';

/**
 * Runs a gateway in this process; it answers when the promise resolves.
 * @throws ArtError as `startGateway`
 */
export async function runGateway(resolved: ResolvedGatewayOptions): Promise<Gateway> {
  const at = { host: resolved.host, port: resolved.port };
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
  server.install(gatewayRoutes(context));
  try {
    await app.listen(at);
  } catch (error) {
    await closeAll(running);
    throw listenError(error, at);
  }
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= drainAndClose(running));
  return { ...listenedAt(app, at), close, [Symbol.asyncDispose]: close };
}

interface Running {
  app: FastifyInstance;
  context: RouteContext;
  stop: () => Promise<void>;
  opened: OpenedStore;
  transports: Transports;
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
