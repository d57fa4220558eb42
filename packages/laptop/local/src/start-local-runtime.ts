import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Semaphore,
  noRouteSchemas,
  refuseMalformed,
  refuseOption,
  requestTimeLimits,
  makeDirectory,
} from '@art/ground';
import { registerS3Endpoint } from './s3/endpoint/register-s3-endpoint.ts';
import { type AgentRuntime } from '@art/protocol';
import fastify, { type FastifyInstance } from 'fastify';
import { agentCardRoute } from './http/agent-card-route.ts';
import { commandRoute } from './http/command-route.ts';
import { type DataPlaneContext, registerDataPlane } from './http/data-plane.ts';
import { registerDiagnostics } from './http/diagnostics-routes.ts';
import { invokeRoute } from './http/invoke-route.ts';
import { observedS3, sessionIdOfKey } from './http/observed-s3.ts';
import { stopRoute } from './http/stop-route.ts';
import { HttpAgentRuntime } from './http-agent-runtime.ts';
import type { SessionAgent } from './process/local-agent.ts';
import type { LocalRuntimeOptions } from './local-runtime-options.ts';
import { ProcessGuard } from './process/process-guard.ts';
import { startAgentProcess } from './process/start-agent-process.ts';
import { WarmPool } from './process/warm-pool.ts';
import { playedSnapshot } from './played-snapshot.ts';
import { type ResolvedOptions, resolveOptions } from './resolve-options.ts';
import { EndpointLog, type EndpointLogEntry } from './service/endpoint-log.ts';
import { type LocalMetrics, MetricsRecorder } from './service/metrics.ts';
import { ServiceLimits } from './service/service-limits.ts';
import { sessionEnvironment } from './process/session-environment.ts';
import { prepareSockets, registerSocketRoute } from './socket/socket-route.ts';
import { SessionTable } from './session/session-table.ts';
import type { LocalSessionInfo } from './session/session-info.ts';

const routes = [invokeRoute, stopRoute, commandRoute, agentCardRoute];

/**
 * Starts a local AgentCore on 127.0.0.1: every session is its own process. Resolves when the port is open; warm
 * processes are started in the background.
 * @throws ArtError `ART_INVALID_OPTION`; the system's error (EADDRINUSE) when the port is taken.
 */
export async function startLocalRuntime(options: LocalRuntimeOptions): Promise<LocalRuntime> {
  const settings = resolveOptions(options);
  const { clock } = settings;
  const { logDir, removeLogs } = await openLogDirectory(settings.logDir);
  const guard = new ProcessGuard();
  let address = '';
  const endpoint = (): string => address;
  const agents = makeAgents(settings, guard, logDir, endpoint);
  const metrics = new MetricsRecorder(() => agents.reduce((sum, { pool }) => sum + pool.readyCount, 0));
  const log = new EndpointLog(settings.endpointLogEntries, (event) => metrics.count(event));
  const limits = new ServiceLimits(settings.limits, clock);
  const faults = settings.faults?.attach({
    clock,
    ownerOf: (key) => {
      const sessionId = sessionIdOfKey(key);
      return { sessionId, session: sessionId === undefined ? undefined : table.find(sessionId) };
    },
    note: (event) => log.add(event),
  });
  const table = new SessionTable(agents, limits, { timing: settings, clock, faults, log });
  const server = await buildServer({
    settings,
    agents,
    table,
    limits,
    metrics,
    log,
    faults,
    guard,
    endpoint,
  });
  try {
    address = await server.listen({ host: '127.0.0.1', port: settings.port });
  } catch (error) {
    faults?.close();
    await removeLogs();
    throw error;
  }
  for (const { pool } of agents) pool.topUp();

  const clients = new Map(
    agents.map(({ name, arn }) => [name, new HttpAgentRuntime({ endpoint: address, agentRuntimeArn: arn })]),
  );
  let closed: Promise<void> | undefined;
  const closeOnce = async (): Promise<void> => {
    faults?.close();
    await Promise.all([table.close(), ...agents.map(({ pool }) => pool.close())]);
    for (const client of clients.values()) client.close();
    await server.close();
    await guard.close();
    await removeLogs();
  };
  const close = (): Promise<void> => (closed ??= closeOnce());
  return {
    endpoint: address,
    logDir,
    arnOf: (name) => named(agents, name).arn,
    runtime: (name) => clients.get(named(agents, name).name)!,
    sessions: () => table.list(),
    metrics: () => metrics.snapshot(),
    endpointLog: (afterSeq) => log.after(afterSeq),
    restart: async () => {
      // The pools first: a session that begins from now on must not get a process of the old program.
      for (const { pool } of agents) pool.renew();
      return table.endAll('stopped');
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function makeAgents(
  settings: ResolvedOptions,
  guard: ProcessGuard,
  logDir: string,
  endpoint: () => string,
): SessionAgent[] {
  const { region, accountId, s3, isDefaultS3, warmPoolSize, stopGraceMs, initTimeoutMs, platformVersion } =
    settings;
  const limit = new Semaphore(settings.maxConcurrentStarts);
  return settings.agents.map((program) => {
    const runtimeId = `${program.name}-local00000`;
    const environment = (port: number): NodeJS.ProcessEnv => {
      const env = sessionEnvironment(program.env, port, {
        s3Endpoint: s3 === undefined ? undefined : endpoint(),
        givesWay: isDefaultS3,
        region,
      });
      return platformVersion === 'V2' ? playedSnapshot(env, program) : env;
    };
    const logDirectory = join(logDir, program.name);
    const start = { ...program, environment, guard, limit, logDirectory, initTimeoutMs };
    return {
      ...program,
      runtimeId,
      arn: `arn:aws:bedrock-agentcore:${region}:${accountId}:runtime/${runtimeId}`,
      environment,
      pool: new WarmPool({
        size: warmPoolSize,
        stopGraceMs,
        start: (signal, killAfterMs) => startAgentProcess(start, signal, killAfterMs),
      }),
    };
  });
}

/** The one HTTP server: the data plane under `/runtimes/`, diagnostics under `/_art/`, S3 for everything else. */
async function buildServer(context: DataPlaneContext): Promise<FastifyInstance> {
  const { settings, log, faults } = context;
  const server = fastify({
    forceCloseConnections: true,
    clientErrorHandler: refuseMalformed,
    http: requestTimeLimits,
    requestTimeout: requestTimeLimits.requestTimeout,
    schemaController: noRouteSchemas,
    genReqId: () => randomUUID(),
    // An ARN is percent-encoded into one segment of the path; the default of 100 characters is too short for it.
    routerOptions: { maxParamLength: 2_048 },
  });
  await prepareSockets(server);
  await server.register(async (scope) => {
    await registerDataPlane(scope, context, routes);
    registerSocketRoute(scope, context);
  });
  await server.register(async (scope) => registerDiagnostics(scope, context));
  if (settings.s3 !== undefined) {
    const observed = observedS3(settings.s3, log);
    await registerS3Endpoint(server, faults?.aroundS3(observed) ?? observed);
  }
  return server;
}

async function openLogDirectory(
  chosen: string | undefined,
): Promise<{ logDir: string; removeLogs: () => Promise<void> }> {
  if (chosen !== undefined) {
    await makeDirectory(chosen);
    return { logDir: chosen, removeLogs: async () => {} };
  }
  const logDir = await mkdtemp(join(tmpdir(), 'art-local-'));
  return { logDir, removeLogs: () => rm(logDir, { recursive: true, force: true, maxRetries: 10 }) };
}

function named(agents: readonly SessionAgent[], name: string): SessionAgent {
  const agent = agents.find((candidate) => candidate.name === name);
  if (agent !== undefined) return agent;
  refuseOption(
    'name',
    `that of an agent of this runtime (${agents.map((agent) => agent.name).join(', ')})`,
    name,
  );
}

/** A running local AgentCore. */
export interface LocalRuntime extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, for `AWS_ENDPOINT_URL` or an SDK's `endpoint`. */
  readonly endpoint: string;
  /** Where the sessions' logs are. */
  readonly logDir: string;
  /**
   * The ARN of an agent.
   * @throws ArtError `ART_INVALID_OPTION` for a name that was not in `agents`.
   */
  arnOf(agent: string): string;
  /**
   * An agent behind the `AgentRuntime` port, over plain HTTP: what `RolloutClient` takes.
   * @throws ArtError `ART_INVALID_OPTION` for a name that was not in `agents`.
   */
  runtime(agent: string): AgentRuntime;
  /** Live sessions, then the last 1,000 that ended. */
  sessions(): readonly LocalSessionInfo[];
  metrics(): LocalMetrics;
  /**
   * Events at the endpoint, oldest first: deliveries, answers, stops, sessions, writes. Numbers are without gaps, so a first entry above
   * `afterSeq + 1` means that some were forgotten (`endpointLogEntries`).
   */
  endpointLog(afterSeq?: number): readonly EndpointLogEntry[];
  /**
   * Ends every session and every warm process; later requests run the agents' programs as they are then. Requests that
   * arrive meanwhile get fresh processes. Resolves when the old ones are gone.
   * @returns how many sessions it ended
   */
  restart(): Promise<number>;
  /** SIGTERM to every session, SIGKILL after the grace; resolves when nothing is left and the port is free. Idempotent. */
  close(): Promise<void>;
}
