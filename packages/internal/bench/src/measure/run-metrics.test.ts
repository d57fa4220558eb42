import { describe, expect, it } from 'vitest';
import { noRequests } from '../endpoint/request-counts.ts';
import type { RolloutRecord } from '../endpoint/rollout-record.ts';
import { medianRun } from './median-run.ts';
import { quantile } from './quantile.ts';
import { runMetrics, type MeasuredRun } from './run-metrics.ts';

const record = (index: number, changes: Partial<RolloutRecord> = {}): RolloutRecord => ({
  index,
  fate: 'succeeds',
  invokedMs: 1_000 + index * 100,
  acceptedMs: 1_050,
  storedMs: 2_000,
  noticedMs: 2_000 + (index + 1) * 10,
  fetchedMs: 2_500 + index,
  stoppedMs: 2_600,
  ...changes,
});
const measured = (rollouts: RolloutRecord[], counts = {}): MeasuredRun => ({
  client: 'art',
  rollouts: rollouts.length,
  clairvoyantMs: 1_000,
  getMs: 20,
  result: {
    outcomes: { ok: rollouts.length },
    cpuMs: 40,
    wallMs: 0,
    startRssBytes: 1,
    peakRssBytes: 2,
    memory: [
      { items: 1, rssBytes: 50 },
      { items: 2, rssBytes: 90 },
    ],
  },
  report: { counts: { ...noRequests(), ...counts }, peakLiveSessions: 0, liveSessions: 0, rollouts },
});

describe('runMetrics', () => {
  it('measures lag from stored to noticed, wall from first invocation to last read', () => {
    const metrics = runMetrics(measured([record(0), record(1), record(2), record(3)]));
    expect(metrics.lag).toEqual({ p50: 20, p90: 40, p99: 40, max: 40, mean: 25 });
    expect(metrics.wallMs).toBe(2_503 - 1_000);
    expect(metrics.lastStoredMs).toBe(1_000 + 20);
    expect(metrics.newSessionsPerSecond).toBeCloseTo(3 / 0.3);
    expect(metrics.cpuMsPerRollout).toBe(10);
    expect(metrics.unread).toBe(0);
  });

  it('weighs requests in HEADs and leaves out the reads that found a result', () => {
    const counts = { head: 3, list: 2, getMissing: 1, get: 4 };
    expect(runMetrics(measured([record(0), record(1)], counts)).watchCostPerRollout).toBe((3 + 25 + 1) / 2);
  });

  it('counts results that nobody read', () => {
    const { noticedMs: _noticed, fetchedMs: _fetched, ...lost } = record(1);
    const metrics = runMetrics(measured([record(0), lost]));
    expect(metrics.unread).toBe(1);
    expect(metrics.lag?.max).toBe(10);
    expect(metrics.wallMs).toBe(2_600 - 1_000);
  });

  it('has no lag where nothing was stored', () => {
    const never: RolloutRecord = { index: 0, fate: 'never_ends', invokedMs: 0, stoppedMs: 900 };
    expect(runMetrics(measured([never]))).toMatchObject({ lag: undefined, unread: 0, wallMs: 900 });
  });

  it('compares memory in the second quarter with the last', () => {
    const run = measured([record(0), record(1), record(2), record(3)]);
    run.result.memory.push({ items: 3, rssBytes: 70 });
    expect(runMetrics(run).memoryByQuarter).toEqual({ second: 50, last: 70 });
  });

  it('counts what is outstanding over time', () => {
    const { outstanding } = runMetrics(measured([record(0), record(1)]));
    expect(outstanding[0]).toEqual({ atMs: 0, outstanding: 1 });
    expect(outstanding.some((point) => point.outstanding === 2)).toBe(true);
    expect(outstanding.at(-1)).toEqual({ atMs: 1_501, outstanding: 0 });
  });
});

it('quantile gives a value that occurs', () => {
  const sorted = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  expect([0, 0.5, 0.9, 0.99, 1].map((fraction) => quantile(sorted, fraction))).toEqual([1, 5, 9, 10, 10]);
  expect(quantile(new Float64Array(), 0.5)).toBeUndefined();
});

it('medianRun takes the run in the middle', () => {
  const runs = [30, 10, 20].map((cpuMsPerRollout) => ({
    ...runMetrics(measured([record(0)])),
    cpuMsPerRollout,
  }));
  expect(medianRun(runs).cpuMsPerRollout).toBe(20);
  expect(() => medianRun([])).toThrow(RangeError);
});
