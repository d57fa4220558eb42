import type { ClientKind } from '../clients/client-kind.ts';
import type { ClientResult } from '../clients/client-result.ts';
import type { EndpointReport } from '../endpoint/endpoint-report.ts';
import type { RequestCounts } from '../endpoint/request-counts.ts';
import { detectionLags, summarizeLags, type LagSummary } from './lag-summary.ts';
import { outstandingSeries, type OutstandingPoint } from './outstanding-series.ts';
import { quantile } from './quantile.ts';
import { watchCostInHeads } from './watch-cost.ts';

/** One client in one scenario. */
export interface RunMetrics {
  client: ClientKind;
  rollouts: number;
  /** In the client's own words. */
  outcomes: Record<string, number>;
  /** Results that were stored and that the client never read. */
  unread: number;
  /** From the first invocation to the end of the last read or stop of an unfinished rollout, at the endpoint. */
  wallMs: number;
  /** From the first invocation to the last stop. */
  lastStopMs: number;
  /** Time that a client would have needed that knew every completion instant. */
  clairvoyantMs: number;
  /** The same with this client's own submissions: its last stored result and one read. */
  lastStoredMs: number;
  lag: LagSummary | undefined;
  /** The distribution, from 0 to 1 in steps of one hundredth. */
  lagQuantiles: number[];
  counts: RequestCounts;
  watchCostPerRollout: number;
  cpuMsPerRollout: number;
  startRssBytes: number;
  peakRssBytes: number;
  /** Highest resident memory in the second quarter of the items, and in the last: a leak makes them differ. */
  memoryByQuarter: { second: number; last: number } | undefined;
  newSessionsPerSecond: number;
  liveSessionsLeft: number;
  outstanding: OutstandingPoint[];
}

export interface MeasuredRun {
  client: ClientKind;
  rollouts: number;
  clairvoyantMs: number;
  /** Time of one read. */
  getMs: number;
  result: ClientResult;
  report: EndpointReport;
}

/** Puts together what the endpoint and the process say of a run. */
export function runMetrics(run: MeasuredRun): RunMetrics {
  const { client, rollouts, clairvoyantMs, getMs, result, report } = run;
  const lags = detectionLags(report.rollouts);
  const startMs = least(report.rollouts.map(({ invokedMs }) => invokedMs));
  const lastInvokeMs = greatest(report.rollouts.map(({ invokedMs }) => invokedMs));
  const endMs = greatest(report.rollouts.map(({ fetchedMs, stoppedMs }) => fetchedMs ?? stoppedMs ?? 0));
  const lastStoredMs = greatest(report.rollouts.map(({ storedMs = 0 }) => storedMs));
  return {
    client,
    rollouts,
    outcomes: result.outcomes,
    unread: report.rollouts.filter(
      ({ storedMs, fetchedMs }) => storedMs !== undefined && fetchedMs === undefined,
    ).length,
    wallMs: endMs - startMs,
    lastStopMs: greatest(report.rollouts.map(({ stoppedMs = 0 }) => stoppedMs)) - startMs,
    clairvoyantMs,
    lastStoredMs: lastStoredMs - startMs + getMs,
    lag: summarizeLags(lags),
    lagQuantiles: Array.from({ length: 101 }, (_, step) => quantile(lags, step / 100) ?? 0),
    counts: report.counts,
    watchCostPerRollout: watchCostInHeads(report.counts) / rollouts,
    cpuMsPerRollout: result.cpuMs / rollouts,
    startRssBytes: result.startRssBytes,
    peakRssBytes: result.peakRssBytes,
    memoryByQuarter: memoryByQuarter(result.memory, rollouts),
    newSessionsPerSecond: (report.rollouts.length - 1) / Math.max(0.001, (lastInvokeMs - startMs) / 1_000),
    liveSessionsLeft: report.liveSessions,
    outstanding: outstandingSeries(report.rollouts),
  };
}

function memoryByQuarter(memory: ClientResult['memory'], rollouts: number): RunMetrics['memoryByQuarter'] {
  const peak = (from: number, to: number): number =>
    greatest(
      memory.flatMap(({ items, rssBytes }) => {
        const share = items / rollouts;
        return share >= from && share < to ? [rssBytes] : [];
      }),
    );
  const second = peak(0.25, 0.5);
  const last = peak(0.75, 1.01);
  return second === 0 || last === 0 ? undefined : { second, last };
}

// Spread into Math.max they would be too many arguments.
function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function least(values: readonly number[]): number {
  return values.reduce((lowest, value) => Math.min(lowest, value), Infinity);
}
