import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Semaphore } from '@art/async';
import { type AgentRuntime, refuseOption } from '@art/protocol';
import { observedS3, sessionIdOfKey } from './http/observed-s3.ts';
import { AgentDirectory } from './http/agent-directory.ts';
import { buildLocalServer } from './http/local-server.ts';
import { HttpAgentRuntime } from './http-agent-runtime.ts';
import type { LocalAgent } from './process/local-agent.ts';
import type { LocalRuntimeOptions } from './local-runtime-options.ts';
import { ProcessGuard } from './process/process-guard.ts';
import { startAgentProcess } from './process/start-agent-process.ts';
import { WarmPool } from './process/warm-pool.ts';
import { type ResolvedOptions, resolveOptions } from './resolve-options.ts';
import { EndpointLog, type EndpointLogEntry } from './service/endpoint-log.ts';
import { type LocalMetrics, MetricsRecorder } from './service/metrics.ts';
import { ServiceLimits } from './service/service-limits.ts';
import { sessionEnvironment } from './process/session-environment.ts';
import { SessionTable } from './session/session-table.ts';
import type { LocalSessionInfo } from './session/session-info.ts';

/**
 * Starts a local AgentCore on 127.0.0.1: every session is a process of its own. Resolves when the port is open; warm
 * processes are started in the background.
 * @throws ArtError `ART_INVALID_OPTION`; the system's error (EADDRINUSE) when the port is taken.
 */
export async function startLocalRuntime(options: LocalRuntimeOptions): Promise<LocalRuntime> {
  const resolved = resolveOptions(options);
  const { logDir, removeLogs } = openLogDirectory(resolved.logDir);
  const { clock, timing, region, accountId } = resolved;
  const guard = new ProcessGuard();
  const metrics = new MetricsRecorder();
  let endpoint = '';
  const agents = makeAgents(resolved, () => endpoint);
  const pools = makePools(agents, resolved, guard, logDir);
  const limits = new ServiceLimits(resolved.limits, clock);
  const log = new EndpointLog(resolved.endpointLogEntries);
  const faults = resolved.faults?.attach({
    clock,
    ownerOf: (key) => {
      const sessionId = sessionIdOfKey(key);
      return { sessionId, session: sessionId === undefined ? undefined : table.find(sessionId) };
    },
    note: (event) => log.add(event),
  });
  const table = new SessionTable({ pools, timing, limits, metrics, log, faults, clock });
  const observed = resolved.s3 && observedS3(resolved.s3, log);
  const s3 = observed && (faults?.aroundS3(observed) ?? observed);
  const snapshot = (): ReturnType<LocalRuntime['metrics']> =>
    metrics.snapshot(table.liveCount, sum([...pools.values()].map((pool) => pool.readyCount)));

  const server = await buildLocalServer(
    {
      directory: new AgentDirectory(agents, accountId),
      table,
      limits,
      metrics,
      log,
      faults,
      guard,
      allowCommands: resolved.allowCommands,
      region,
      endpoint: () => endpoint,
      initTimeoutMs: resolved.initTimeoutMs,
      requestTimeoutMs: resolved.requestTimeoutMs,
      streamTimeoutMs: resolved.streamTimeoutMs,
      stopGraceMs: timing.stopGraceMs,
    },
    {
      metrics: snapshot,
      sessions: () => table.list(),
      injectedFaults: (afterSeq) => faults?.injected(afterSeq) ?? [],
      log,
    },
    s3,
  );
  try {
    endpoint = await server.listen({ host: '127.0.0.1', port: resolved.port });
  } catch (error) {
    faults?.close();
    await removeLogs();
    throw error;
  }
  for (const pool of pools.values()) pool.topUp();

  const clients = new Map(
    agents.map((agent) => [agent.name, new HttpAgentRuntime({ endpoint, agentRuntimeArn: agent.arn })]),
  );
  const close = once(async () => {
    faults?.close();
    await Promise.all([table.close(), ...[...pools.values()].map((pool) => pool.close())]);
    for (const client of clients.values()) client.close();
    await server.close();
    await guard.close();
    await removeLogs();
  });
  return {
    endpoint,
    logDir,
    arnOf: (name) => named(agents, name).arn,
    runtime: (name) => clients.get(named(agents, name).name)!,
    sessions: () => table.list(),
    metrics: snapshot,
    endpointLog: (afterSeq) => log.after(afterSeq),
    restart: async () => {
      // The pools first: a session that begins from now on must not get a process of the old program.
      for (const pool of pools.values()) pool.renew();
      return table.endAll('stopped');
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function makeAgents(
  { agents, region, accountId, s3, isDefaultS3 }: ResolvedOptions,
  endpoint: () => string,
): LocalAgent[] {
  return agents.map((agent) => {
    const runtimeId = `${agent.name}-local00000`;
    return {
      ...agent,
      runtimeId,
      arn: `arn:aws:bedrock-agentcore:${region}:${accountId}:runtime/${runtimeId}`,
      environment: (port) =>
        sessionEnvironment(agent.env, port, {
          s3Endpoint: s3 === undefined ? undefined : endpoint(),
          givesWay: isDefaultS3,
          region,
        }),
    };
  });
}

function makePools(
  agents: readonly LocalAgent[],
  { warmPoolSize, maxConcurrentStarts, initTimeoutMs, timing }: ResolvedOptions,
  guard: ProcessGuard,
  logDir: string,
): Map<LocalAgent, WarmPool> {
  const limit = new Semaphore(maxConcurrentStarts);
  const { stopGraceMs } = timing;
  return new Map(
    agents.map((agent) => {
      const logDirectory = join(logDir, agent.name);
      const start = { agent, guard, limit, logDirectory, initTimeoutMs };
      return [
        agent,
        new WarmPool({
          size: warmPoolSize,
          stopGraceMs,
          start: (signal, killAfterMs) => startAgentProcess(start, signal, killAfterMs),
        }),
      ];
    }),
  );
}

function openLogDirectory(chosen: string | undefined): { logDir: string; removeLogs: () => Promise<void> } {
  if (chosen !== undefined) {
    mkdirSync(chosen, { recursive: true });
    return { logDir: chosen, removeLogs: async () => {} };
  }
  const logDir = mkdtempSync(join(tmpdir(), 'art-local-'));
  return { logDir, removeLogs: () => rm(logDir, { recursive: true, force: true, maxRetries: 10 }) };
}

function named(agents: readonly LocalAgent[], name: string): LocalAgent {
  const agent = agents.find((candidate) => candidate.name === name);
  if (agent !== undefined) return agent;
  refuseOption(
    'name',
    `that of an agent of this runtime (${agents.map((agent) => agent.name).join(', ')})`,
    name,
  );
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
   * What happened at the endpoint, oldest first: deliveries, answers, stops, sessions, writes. Numbers are without gaps, so
   * a first entry above `afterSeq + 1` means that some were forgotten (`endpointLogEntries`).
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
