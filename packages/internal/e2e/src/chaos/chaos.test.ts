import { expect, it } from 'vitest';
import { formatChaosReport } from './chaos-report.ts';
import { runChaos } from './run-chaos.ts';

it('nothing is lost, doubled or left behind while everything is killed', { timeout: 400_000 }, async () => {
  const report = await runChaos({
    seed: 17,
    minutes: 0,
    rollouts: 24,
    concurrency: 6,
    faultsForMs: 5_000,
    least: { clientKills: 2, sessionFaults: 12 },
    faultsAtATime: [5, 8],
    agentKillEveryMs: [300, 1_500],
    runtimeKillEveryMs: [3_000, 4_000],
    clientKillAfterMs: [1_000, 3_500],
  });
  expect(formatChaosReport(report)).toMatch(/\n0 lost, 0 doubled, 0 orphans, 0 other violations$/);
  expect(report.violations).toEqual([]);
  expect(report.rollouts).toBe(24);
  expect(report.handlerRuns).toBeGreaterThanOrEqual(24);
  // A run in which nothing went wrong proves nothing.
  expect(report.clientKills).toBeGreaterThanOrEqual(2);
  expect(report.sessionFaults + report.agentKills).toBeGreaterThanOrEqual(12);
  expect(report.runtimeKills).toBeGreaterThanOrEqual(1);
});
