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
}

export interface ThrottledBatchReport {
  /** How many rollouts had each outcome. */
  outcomes: Record<string, number>;
  /** Most invocations at the endpoint within any second, refused ones included. */
  mostPerSecond: number;
  wallMs: number;
  /** From the start of a session to its result, on average: what a machine's speed makes of `runMs`. */
  sessionMs: number;
  /** Best time that the quotas allow for sessions of that length. */
  idealMs: number;
  metrics: LocalMetrics;
}

/** Runs more rollouts at once than a throttling AgentCore lets through, in a client that is told its rate only. */
export async function runThrottledBatch(options: ThrottledBatchOptions): Promise<ThrottledBatchReport> {
  const root = await mkdtemp(join(tmpdir(), 'art-throttled-'));
  try {
    return await runIn(root, options);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function runIn(root: string, options: ThrottledBatchOptions): Promise<ThrottledBatchReport> {
  const { rollouts, newSessionsPerSecond, maxLiveSessions, runMs } = options;
  await using local = await startLocalRuntime({
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
  using runtime = createAgentCoreRuntime({
    agentRuntimeArn: local.arnOf('storing'),
    tpsLimit: newSessionsPerSecond,
    clientOptions: {
      endpoint: counter.endpoint,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    },
  });
  const store = new FileResultStore({ root, durability: 'process' });
  await using client = new RolloutClient({ runtime, store, bucket: 'throttled', expId: 'run' });

  const outcomes: Record<string, number> = {};
  let workedMs = 0;
  const startedMs = performance.now();
  const payloads = Array.from({ length: rollouts }, (_, n) => ({ n }));
  for await (const item of client.runBatch(payloads, { maxConcurrentSessions: rollouts })) {
    outcomes[item.outcome.kind] = (outcomes[item.outcome.kind] ?? 0) + 1;
    workedMs += (item.timings.settledMs ?? 0) - (item.timings.acceptedMs ?? 0);
  }
  const wallMs = performance.now() - startedMs;

  const metrics = await whenAllEnded(local);
  const startsMs = local.sessions().reduce((sum, session) => sum + (session.startMs ?? 0), 0);
  const sessionMs = (startsMs + workedMs) / rollouts;
  return {
    outcomes,
    mostPerSecond: counter.mostPerSecond(),
    wallMs,
    sessionMs,
    idealMs: idealMs(options, sessionMs),
    metrics,
  };
}

/** Each session starts as soon as the rate allows and the session that had its place is over. */
function idealMs(options: ThrottledBatchOptions, sessionMs: number): number {
  const { rollouts, newSessionsPerSecond, maxLiveSessions } = options;
  const startsMs: number[] = [];
  for (let n = 0; n < rollouts; n += 1) {
    const byRate = (startsMs[n - 1] ?? Number.NEGATIVE_INFINITY) + 1_000 / newSessionsPerSecond;
    const byPlace = (startsMs[n - maxLiveSessions] ?? Number.NEGATIVE_INFINITY) + sessionMs;
    startsMs.push(Math.max(0, byRate, byPlace));
  }
  return (startsMs.at(-1) ?? 0) + sessionMs;
}

// A stop is answered before the process has ended, as on AgentCore.
async function whenAllEnded(local: LocalRuntime): Promise<LocalMetrics> {
  for (let attempt = 0; attempt < 500 && local.metrics().liveSessions > 0; attempt += 1) await delay(20);
  return local.metrics();
}
