import type { AddressInfo } from 'node:net';
import { ArtError, isLoopback, refuseOption } from '@art/ground';
import type { FastifyInstance } from 'fastify';
import { type ResolvedGatewayOptions, resolveGatewayOptions } from '../options/resolve-gateway-options.ts';
import { DiskCaptureStore } from '../store/disk/disk-capture-store.ts';
import { MemoryCaptureStore } from '../store/memory-capture-store.ts';
import type { CaptureStore } from '../store/capture-store.ts';
import type { EngineTransport } from '../engines/engine-transport.ts';
import { HttpTransport } from '../engines/http-transport.ts';
import { assembleGateway } from './assemble-gateway.ts';
import { createGatewayServer } from './gateway-server.ts';
import type { GatewayServices } from '../calls/call/gateway-services.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';

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

/** Where a server listens. */
interface ListenAddress {
  host: string;
  port: number;
}

/** How a server that listens is reached. */
function listenedAt(app: FastifyInstance, at: ListenAddress): Pick<Gateway, 'url' | 'port'> {
  const { port } = app.server.address() as AddressInfo;
  const { host } = at;
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** The error to throw where listening failed. */
function listenError(error: unknown, at: ListenAddress): unknown {
  if ((error as { code?: unknown }).code !== 'EADDRINUSE') return error;
  return new ArtError({
    code: 'ART_PORT_TAKEN',
    message: `Expected port ${at.port} on ${at.host} to be free, but another program listens there. Choose another port, or 0 for any.`,
    cause: error,
  });
}

/** A capture store, and whether closing it is the gateway's business. */
interface OpenedStore {
  store: CaptureStore;
  owned: boolean;
  /** Parts of it that could not be read, in words. */
  problems?: readonly string[];
}

/** @throws ArtError `ART_FOLDER_HELD`, `ART_GATEWAY_STORE_FAILED` */
async function openStore({ store: wanted, sessionTtlMs }: ResolvedGatewayOptions): Promise<OpenedStore> {
  if (wanted.kind === 'given') return { store: wanted.store, owned: false };
  const { directory, durability, maxSessions, maxBytes } = wanted.options;
  const ttlMs = sessionTtlMs === 0 ? Number.POSITIVE_INFINITY : sessionTtlMs;
  const bounds = { maxSessions, maxBytes, ttlMs };
  if (directory === undefined) return { store: new MemoryCaptureStore(bounds), owned: true };
  const store = await DiskCaptureStore.open({ ...bounds, directory, durability });
  return { store, owned: true, problems: store.recovery.problems };
}

/**
 * Runs a gateway in this process; it answers when the promise resolves.
 * @throws ArtError as `startGateway`
 */
async function runGateway(resolved: ResolvedGatewayOptions): Promise<Gateway> {
  const at = { host: resolved.host, port: resolved.port };
  const opened = await openStore(resolved);
  let engines: EngineTransport;
  try {
    const { engine, maxConnectionsPerWorker: maxConnections, sign } = resolved;
    engines = await (engine?.() ?? new HttpTransport({ maxConnections, sign }));
  } catch (error) {
    await closeStore(opened);
    throw error;
  }
  const server = createGatewayServer({
    logLevel: resolved.logLevel,
    adminToken: resolved.auth.adminToken,
    bodyLimitBytes: resolved.bodyLimitBytes,
  });
  const { app } = server;
  for (const problem of opened.problems ?? []) app.log.error({ problem }, 'captures on disk are damaged');
  const parts = { options: resolved, store: opened.store, log: app.log, engines };
  const { services, stop } = assembleGateway(parts);
  const running = { app, services, stop, opened };
  server.install(services);
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
  services: GatewayServices;
  stop: () => Promise<void>;
  opened: OpenedStore;
}

// A call that was ended needs a moment to answer its agent.
const partingMs = 2_000;

async function drainAndClose(running: Running): Promise<void> {
  const { inFlight, options } = running.services;
  inFlight.close();
  if (!(await inFlight.idle(options.shutdownGraceMs))) {
    inFlight.cancelAll('closing');
    await inFlight.idle(partingMs);
  }
  await closeAll(running);
}

async function closeAll({ app, services, stop, opened }: Running): Promise<void> {
  await app.close();
  await stop();
  await services.engines.close();
  await closeStore(opened);
}

async function closeStore({ store, owned }: OpenedStore): Promise<void> {
  await store.flush();
  if (owned) await store.close();
}

/**
 * Refuses session keys without an admin token: a client that may make a session gets its key, so keys alone protect
 * nothing.
 */
function assertKeysAreKept({ host, auth }: ResolvedGatewayOptions): void {
  if (!auth.sessionKeys || auth.adminToken !== undefined || isLoopback(host)) return;
  const advice = `Without it everybody who reaches ${host} gets keys from POST /sessions. Set auth.adminToken (ART_GATEWAY_ADMIN_TOKEN), or listen on 127.0.0.1.`;
  refuseOption('auth.adminToken', 'a token beside auth.sessionKeys', auth.adminToken, { advice });
}

/**
 * Starts a gateway; it answers when the promise resolves.
 * @throws ArtError `ART_INVALID_OPTION`; `ART_PORT_TAKEN`; `ART_TOKENIZER_UNREADABLE`; `ART_FOLDER_HELD` and
 * `ART_GATEWAY_STORE_FAILED` for a directory of captures that cannot be used
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const resolved = resolveGatewayOptions(options);
  assertKeysAreKept(resolved);
  return await runGateway(resolved);
}
