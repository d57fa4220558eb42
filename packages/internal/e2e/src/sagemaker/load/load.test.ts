import { expect, it } from 'vitest';
import { runLoad } from './run-load.ts';

it('rollouts are run, completed and rewarded once, whatever goes wrong', async () => {
  const rollouts = 80;
  const report = await runLoad({
    rollouts,
    concurrency: 40,
    faultRate: 0.2,
    seed: 3,
    rolloutTimeoutMs: 100_000,
  });
  expect(report).toMatchObject({
    completedOnce: rollouts,
    rewardedOnce: rollouts,
    handlerRuns: rollouts,
    timedOut: 0,
    late: 0,
    wrongRewards: 0,
  });
  expect(Object.keys(report.faults)).toHaveLength(7);
});
