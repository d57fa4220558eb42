import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import type { Gateway } from '../server/gateway.ts';
import { createGatewayServer, type GatewayServer } from '../server/gateway-server.ts';
import { listenedAt, listenError } from '../server/listen-address.ts';
import { CallsInFlight } from '../sessions/calls-in-flight.ts';
import { SessionKeys } from '../sessions/session-keys.ts';
import type { FrontContext } from './front-context.ts';
import { FrontMetrics } from './front-metrics.ts';
import { frontRoutes } from './front-routes.ts';
import { shardOptions } from './shard-options.ts';
import { ShardProcess } from './shard-process.ts';
import { SharedSettings } from './shared-settings.ts';
import { Shards } from './shards.ts';

/** What was read of the gateway processes when they ended has so long to reach its agents. */
const partingMs = 2_000;

/**
 * Starts several gateway processes, and a front on the public port that knows which session belongs to which of them.
 * @throws ArtError as `startGateway`
 */
export async function startFront(resolved: ResolvedGatewayOptions): Promise<Gateway> {
  // Only this user may enter a directory that mkdtemp made, and so reach the sockets in it.
  const socketDirectory = await mkdtemp(join(tmpdir(), 'art-gw-'));
  const server = createGatewayServer({
    logLevel: resolved.logLevel,
    adminToken: resolved.auth.adminToken,
    bodyLimitBytes: resolved.bodyLimitBytes,
  });
  const context = assembleFront(resolved, server, socketDirectory);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeFront(context, server, socketDirectory));
  const { host, port } = resolved;
  try {
    await startAll(context.shards);
    server.install(frontRoutes(context));
    await server.app.listen({ host, port });
  } catch (error) {
    await close();
    throw listenError(error, { host, port });
  }
  return { ...listenedAt(server.app, { host, port }), close, [Symbol.asyncDispose]: close };
}

function assembleFront(
  resolved: ResolvedGatewayOptions,
  { app }: GatewayServer,
  socketDirectory: string,
): FrontContext {
  const { auth, processes, bodyLimitBytes, sessionsFromKeys } = resolved;
  const keySecret = auth.keySecret ?? randomBytes(32).toString('base64url');
  const headers = auth.adminToken === undefined ? [] : ['authorization', `Bearer ${auth.adminToken}`];
  const settings = new SharedSettings(resolved.workers, headers);
  const metrics = new FrontMetrics(() => shards.all.filter(({ link }) => link !== undefined).length);
  const shards = new Shards(
    Array.from({ length: processes }, (_, index) => {
      return new ShardProcess({
        index,
        options: shardOptions(resolved, index, keySecret),
        socketPath: (start) => join(socketDirectory, `${index}-${start}.sock`),
        prepare: (link) => settings.bring(link),
        restarted: () => metrics.restarted(),
        log: app.log,
      });
    }),
  );
  return {
    shards,
    settings,
    keys: new SessionKeys(keySecret),
    inFlight: new CallsInFlight(),
    metrics,
    bodyLimitBytes,
    sessionsFromKeys,
    headers,
    log: app.log,
  };
}

async function startAll(shards: Shards): Promise<void> {
  // All have to be at rest before those that did start can be ended.
  const started = await Promise.allSettled(shards.all.map((shard) => shard.start()));
  for (const one of started) if (one.status === 'rejected') throw one.reason;
}

async function closeFront(
  { shards, inFlight, metrics }: FrontContext,
  { app }: GatewayServer,
  socketDirectory: string,
): Promise<void> {
  await Promise.all(shards.all.map((shard) => shard.close()));
  await inFlight.idle(partingMs);
  await app.close();
  metrics.close();
  await rm(socketDirectory, { recursive: true, force: true, maxRetries: 10 });
}
