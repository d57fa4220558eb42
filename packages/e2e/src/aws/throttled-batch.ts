import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAgentCoreRuntime, FileResultStore, RolloutClient } from '@art/client';
import { startLocalRuntime, type LocalMetrics, type LocalRuntime } from '@art/local';
import { startCountingEndpoint } from './counting-endpoint.ts';

export interface ThrottledBatchOptions {
  rollouts: number;
  /** The quotas that the service imposes; the client is told of the first only. */
  newSessionsPerSecond: number;
  maxLiveSessions: number;
  /** How long an agent works on its rollout. */
  runMs: number;
  /** @default 0 */
  warmPoolSize?: number;
}

export interface ThrottledBatchReport {
  /** How many rollouts had each outcome. */
  outcomes: Record<string, number>;
  /** Most invocations at the endpoint within any second, refused ones included. */
  mostPerSecond: number;
  wallMs: number;
  /** What the quotas allow at best, for sessions that start and stop in no time. */
  idealMs: number;
  metrics: LocalMetrics;
}

/** Runs more rollouts at once than a throttling AgentCore lets through, with a client on its defaults. */
export async function runThrottledBatch(options: ThrottledBatchOptions): Promise<ThrottledBatchReport> {
  const { rollouts, newSessionsPerSecond, maxLiveSessions, runMs } = options;
  const root = await mkdtemp(join(tmpdir(), 'art-throttled-'));
  await using local = await startLocalRuntime({
    warmPoolSize: options.warmPoolSize ?? 0,
    limits: { newSessionsPerSecond, maxLiveSessions },
    s3: false,
    agents: {
      storing: {
        command: [process.execPath, join(import.meta.dirname, '../agents/storing-agent.mjs')],
        env: { RESULT_ROOT: root, RUN_MS: String(runMs) },
      },
    },
  });
  await using counter = await startCountingEndpoint(local.endpoint);
  const agentRuntimeArn = local.arnOf('storing');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const runtime = createAgentCoreRuntime({
    agentRuntimeArn,
    tpsLimit: newSessionsPerSecond,
    clientOptions: { endpoint: counter.endpoint, credentials },
  });
  const store = new FileResultStore({ root, durability: 'process' });
  const client = new RolloutClient({ runtime, store, bucket: 'throttled', expId: 'run' });
  const outcomes: Record<string, number> = {};
  const startedMs = performance.now();
  const payloads = Array.from({ length: rollouts }, (_, n) => ({ n }));
  for await (const item of client.runBatch(payloads, { maxConcurrentSessions: rollouts })) {
    outcomes[item.outcome.kind] = (outcomes[item.outcome.kind] ?? 0) + 1;
  }
  await client.close();
  const wallMs = performance.now() - startedMs;
  runtime.close();
  const metrics = await whenAllEnded(local);
  await rm(root, { recursive: true, force: true });
  const idealMs = Math.max(
    ((rollouts - 1) * 1_000) / newSessionsPerSecond,
    Math.ceil(rollouts / maxLiveSessions) * runMs,
  );
  return { outcomes, mostPerSecond: counter.mostPerSecond(), wallMs, idealMs, metrics };
}

// A stop is answered before the process has ended, as on AgentCore.
async function whenAllEnded(local: LocalRuntime): Promise<LocalMetrics> {
  for (let attempt = 0; attempt < 500 && local.metrics().liveSessions > 0; attempt += 1) await delay(20);
  return local.metrics();
}
