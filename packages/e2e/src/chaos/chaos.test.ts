import { expect, it } from 'vitest';
import { formatChaosReport } from './chaos-report.ts';
import { runChaos } from './run-chaos.ts';

it('nothing is lost, doubled or left behind while everything is killed', { timeout: 400_000 }, async () => {
  const report = await runChaos({
    seed: 17,
    minutes: 0,
    rollouts: 40,
    concurrency: 8,
    faultsForMs: 8_000,
    least: { clientKills: 4, sessionFaults: 24 },
    faultsAtATime: [5, 8],
    agentKillEveryMs: [300, 1_500],
    runtimeKillEveryMs: [5_000, 7_000],
    clientKillAfterMs: [1_000, 3_500],
  });
  expect(formatChaosReport(report)).toMatch(/\n0 lost, 0 doubled, 0 orphans, 0 other violations$/);
  expect(report.violations).toEqual([]);
  expect(report.rollouts).toBe(40);
  expect(report.handlerRuns).toBeGreaterThanOrEqual(40);
  // A run in which nothing went wrong proves nothing.
  expect(report.clientKills).toBeGreaterThanOrEqual(4);
  expect(report.sessionFaults + report.agentKills).toBeGreaterThanOrEqual(24);
  expect(report.runtimeKills).toBeGreaterThanOrEqual(1);
});
