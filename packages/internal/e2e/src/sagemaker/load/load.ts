/** `pnpm --filter @art/e2e run sagemaker-load`: rollouts of SageMaker's trainer where a share of all calls goes wrong. */
import { parseArgs } from 'node:util';
import { runLoad } from './run-load.ts';

const { values } = parseArgs({
  options: {
    rollouts: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '96' },
    'fault-rate': { type: 'string', default: '0.1' },
    seed: { type: 'string', default: '1' },
  },
});
const report = await runLoad({
  rollouts: Number(values.rollouts),
  concurrency: Number(values.concurrency),
  faultRate: Number(values['fault-rate']),
  seed: Number(values.seed),
  rolloutTimeoutMs: 300_000,
});
console.log(JSON.stringify(report, undefined, 2));
const { rollouts, completedOnce, rewardedOnce, late, handlerRuns, wrongRewards } = report;
const isWhole = [completedOnce, rewardedOnce, handlerRuns].every((count) => count === rollouts);
if (!isWhole || late > 0 || wrongRewards > 0) process.exitCode = 1;
