/**
 * Measures what an endpoint sees of the client's pacing, and a batch under every quota, at full length. Exits with 1 when
 * a limit was exceeded or a rollout lost.
 *
 *   pnpm --filter @art/e2e run pacing --seconds 60 --rollouts 500
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startCountingEndpoint } from '../aws/counting-endpoint.ts';
import { runThrottledBatch } from '../aws/throttled-batch.ts';
import { startRedisServer } from './redis-server.ts';

const perSecond = 25;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, rollouts: { type: 'string', default: '500' } },
});
const seconds = Number(values.seconds);

report(await measure('one client', [[]]));
report(await measure('four clients in one process', [['--clients', '4']]));
await redisScenario();
await batchScenario();

type Measurement = Record<'mostPerSecond' | 'perSecondOnAverage' | 'longestStallMs', number> &
  Record<string, unknown>;

/** Runs one worker for each list of arguments, all against one endpoint. */
async function measure(scenario: string, workerArguments: string[][]): Promise<Measurement> {
  await using counter = await startCountingEndpoint();
  // While this process is held up requests wait in their sockets, and then seem to have come together.
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  const workers = await Promise.all(
    workerArguments.map(async (more) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--conditions=@art/source',
        join(import.meta.dirname, 'pacing-worker.ts'),
        `--endpoint=${counter.endpoint}`,
        `--seconds=${seconds}`,
        ...more,
      ]);
      return JSON.parse(stdout) as unknown;
    }),
  );
  const { arrivalsMs } = counter;
  const spanMs = (arrivalsMs.at(-1) ?? 0) - (arrivalsMs[0] ?? 0);
  const perSecondOnAverage = Number((((arrivalsMs.length - 1) * 1_000) / spanMs).toFixed(2));
  stalls.disable();
  const longestStallMs = Math.round(stalls.max / 1_000_000);
  return { scenario, mostPerSecond: counter.mostPerSecond(), perSecondOnAverage, longestStallMs, workers };
}

/** Three processes share one Redis; it dies after a third of the time and is back, empty, after another. */
async function redisScenario(): Promise<void> {
  await using redis = await startRedisServer();
  if (redis === undefined) {
    console.log('SKIPPED: three processes on one Redis; there is no redis-server on this machine.');
    return;
  }
  const worker = ['--redisPort', String(redis.port), '--processes', '3'];
  const measured = measure('three processes on one Redis that dies and returns', [worker, worker, worker]);
  await delay((seconds * 1_000) / 3);
  await redis.kill();
  await delay((seconds * 1_000) / 3);
  redis.start();
  report(await measured);
}

async function batchScenario(): Promise<void> {
  const rollouts = Number(values.rollouts);
  const { metrics, ...batch } = await runThrottledBatch({
    rollouts,
    newSessionsPerSecond: perSecond,
    maxLiveSessions: 100,
    runMs: 3_000,
  });
  const sentTwice = metrics.attempts.filter((attempts) => attempts.delivered > 1).length;
  const { faults, peakLiveSessions, leakedSessions } = metrics;
  const isWhole = batch.outcomes['ok'] === rollouts && sentTwice === 0 && leakedSessions === 0;
  if (!isWhole) process.exitCode = 1;
  report({ scenario: 'batch under quotas', ...batch, sentTwice, faults, peakLiveSessions, leakedSessions });
}

function report(measurement: { mostPerSecond: number } & Record<string, unknown>): void {
  console.log(JSON.stringify(measurement));
  if (measurement.mostPerSecond > perSecond + 1) process.exitCode = 1;
}
