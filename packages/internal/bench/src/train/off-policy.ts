/**
 * Measures the worth of `maxStepsOffPolicy: 1` where rollouts differ in how long they take: wall time and reward of the
 * same training, on policy and one step off, in turn. `--seeds`, `--steps`, `--median` in milliseconds, `--sigma`.
 */
import { parseArgs } from 'node:util';
import { describeDurations, type DurationModel } from '../workload/duration-model.ts';
import { type TimedTraining, timedTraining } from './timed-training.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    steps: { type: 'string', default: '60' },
    median: { type: 'string', default: '300' },
    sigma: { type: 'string', default: '1' },
  },
});
const durations: DurationModel = {
  kind: 'lognormal',
  medianMs: Number(values.median),
  sigma: Number(values.sigma),
};
const size = { steps: Number(values.steps), groupsPerStep: 4, rolloutsPerGroup: 8, durations };
console.log(`${size.steps} steps of 4 groups of 8 rollouts, ${describeDurations(durations)}.`);
const ratios: number[] = [];
for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  const [onPolicy, ahead] = [
    await timedTraining({ ...size, seed, maxStepsOffPolicy: 0 }),
    await timedTraining({ ...size, seed, maxStepsOffPolicy: 1 }),
  ];
  ratios.push(onPolicy.wallMs / ahead.wallMs);
  console.log(`seed ${seed}  on policy    ${describe(onPolicy)}`);
  console.log(`        one step off ${describe(ahead)}  ${ratios.at(-1)!.toFixed(2)} times as fast`);
}
const median = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)]!;
console.log(`Median: ${median.toFixed(2)} times as fast.`);

function describe({ wallMs, reward, steps }: TimedTraining): string {
  const passed = steps.find(({ rewardOfTen = 0, step }) => step >= 10 && rewardOfTen > 0.9)?.step;
  const lags = steps.flatMap(({ lag }) => (lag === undefined ? [] : [lag]));
  const meanLag = lags.reduce((sum, { mean }) => sum + mean, 0) / lags.length;
  const mostLag = Math.max(...lags.map(({ most }) => most));
  const trainMs = steps.reduce((sum, step) => sum + step.trainMs, 0);
  return [
    `${(wallMs / 1_000).toFixed(1)} s, ${(trainMs / 1_000).toFixed(1)} of them making steps`,
    `last ten ${reward.toFixed(3)}`,
    passed === undefined ? 'never over 0.9' : `over 0.9 after ${passed} steps`,
    `lag ${meanLag.toFixed(2)} on average, ${mostLag} at most`,
  ].join(', ');
}
