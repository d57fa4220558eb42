import { clientTitles } from '../clients/client-kind.ts';
import type { RunMetrics } from '../measure/run-metrics.ts';
import type { ServerRun } from '../scenarios/run-server-scenario.ts';

/** A run on one line, for anyone who waits. */
export function formatRun(run: RunMetrics): string {
  const {
    client,
    rollouts,
    wallMs,
    clairvoyantMs,
    lag,
    watchCostPerRollout,
    cpuMsPerRollout,
    peakRssBytes,
    counts,
  } = run;
  const outcomes = Object.entries(run.outcomes).map(([kind, count]) => `${kind} ${count}`);
  return [
    `  ${clientTitles[client]}: ${rollouts} rollouts (${outcomes.join(', ')})`,
    `wall ${(wallMs / 1_000).toFixed(1)} s = ${(wallMs / clairvoyantMs).toFixed(3)} of clairvoyant`,
    lag === undefined
      ? 'no results'
      : `lag p50 ${(lag.p50 / 1_000).toFixed(2)} p99 ${(lag.p99 / 1_000).toFixed(2)} max ${(lag.max / 1_000).toFixed(2)} s`,
    counts.ask === 0
      ? `watching ${watchCostPerRollout.toFixed(2)} HEADs`
      : `asked ${(counts.ask / rollouts).toFixed(2)} times, at most ${counts.askPeakPerSecond} in a second`,
    `CPU ${cpuMsPerRollout.toFixed(2)} ms`,
    `RSS ${(peakRssBytes / 2 ** 20).toFixed(0)} MiB`,
  ].join(', ');
}

/** A run of the agent server on one line. */
export function formatServerRun(run: ServerRun): string {
  const { putMs, acceptsPerSecond, acceptLatency, pingLatency, accepted, stored } = run;
  return `  PUT ${putMs} ms: ${acceptsPerSecond.toFixed(0)} accepts/s, p99 ${acceptLatency.p99.toFixed(1)} ms, /ping p99 ${pingLatency.p99.toFixed(1)} ms, accepted ${accepted}, stored ${stored}`;
}
