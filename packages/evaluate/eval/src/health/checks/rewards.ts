import { haveSpread, isInRange, isSameFigure, sumOfKnown } from '@art/ground/figures';
import { Tally } from '../result/tally.ts';
import { deviation } from './group-rewards.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';
import { answers } from './tool-calls.ts';

/** Rollouts that ended well and were not judged. */
export const rewardMissing: HealthCheck = {
  id: 'reward_missing',
  observe({ purpose }) {
    const missing = new Tally();
    return {
      see({ id, outcome, reward }) {
        if (outcome === 'ok') missing.see(reward === null || !Number.isFinite(reward), { id });
      },
      judge() {
        if (missing.seen === 0) return notObserved('no rollout ended as ok');
        if (missing.hits === 0) return healthy;
        return missing.finding(
          purpose === 'training' || missing.hits === missing.seen ? 'error' : 'warning',
          `${missing.of('rollouts')} ended as ok without a reward that is a number. None of them counts.`,
          'Let the handler return { reward: number }, or see why the judge failed.',
        );
      },
    };
  },
};

/** Rewards that the task cannot give. */
export const rewardOutOfRange: HealthCheck = {
  id: 'reward_out_of_range',
  observe({ rewardRange }) {
    const outside = new Tally();
    return {
      see({ id, reward }) {
        if (rewardRange === undefined || reward === null) return;
        outside.see(!isInRange(reward, rewardRange), { id });
      },
      judge() {
        if (rewardRange === undefined) return notObserved('nobody said which rewards the task can give');
        if (outside.seen === 0) return notObserved('there are no rewards');
        if (outside.hits === 0) return healthy;
        return outside.finding(
          'error',
          `${outside.of('rewards')} are outside of ${rewardRange[0]} to ${rewardRange[1]}.`,
          'Read what the reward function computed for one of them.',
        );
      },
    };
  },
};

/** Rewards that do not depend on what the agent did. */
export const rewardConstant: HealthCheck = {
  id: 'reward_constant',
  observe({ purpose, minRollouts }) {
    const rewards: number[] = [];
    const inputs = new Set<string>();
    return {
      see({ outcome, reward, inputId }) {
        if (outcome !== 'ok' || reward === null || !Number.isFinite(reward)) return;
        rewards.push(reward);
        inputs.add(inputId);
      },
      judge() {
        if (rewards.length < minRollouts || inputs.size < 2)
          return notObserved(`${minRollouts} rewards of two inputs or more are needed to call them constant`);
        if (haveSpread(rewards)) return healthy;
        const value = rewards[0]!;
        const isNothing = isSameFigure(value, 0);
        return new Tally().finding(
          purpose === 'training' ? 'error' : isNothing ? 'warning' : 'note',
          `All ${rewards.length} rewards are ${value}.`,
          isNothing
            ? 'Judge one answer by hand. If it is right, the reward function does not see it: look at what it reads.'
            : 'Let the reward function judge an answer that is wrong, and see that the reward is lower.',
        );
      },
    };
  },
};

/** Rewards that follow the length of what was said. */
export const rewardFollowsLength: HealthCheck = {
  id: 'reward_follows_length',
  observe({ maxLengthCorrelation, minRollouts }) {
    const pairs: [number, number][] = [];
    return {
      see(rollout) {
        const said = answers(rollout);
        const { outcome, reward } = rollout;
        if (outcome !== 'ok' || reward === null || !Number.isFinite(reward) || said.length === 0) return;
        const length = sumOfKnown(said.map(({ record }) => record.completionTokens));
        if (length !== null) pairs.push([reward, length]);
      },
      judge() {
        // Two rewards and two lengths correlate by themselves.
        const lengths = new Set(pairs.map(([, length]) => length));
        if (pairs.length < 2 * minRollouts || lengths.size < minRollouts)
          return notObserved(`${2 * minRollouts} rewards of answers with ${minRollouts} lengths are needed`);
        const correlation = correlate(pairs);
        if (Math.abs(correlation) <= maxLengthCorrelation) return healthy;
        return new Tally().finding(
          'warning',
          `Reward and length of the answers correlate by ${correlation.toFixed(2)}.`,
          'See whether the reward function counts words, or whether long answers were cut off and lost for it.',
        );
      },
    };
  },
};

function correlate(pairs: readonly (readonly [number, number])[]): number {
  const [left, right] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  if (!haveSpread(left) || !haveSpread(right)) return 0;
  const [first, second] = [deviation(left), deviation(right)];
  const means = [left, right].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const product = pairs.reduce((sum, [one, other]) => sum + (one - means[0]!) * (other - means[1]!), 0);
  return product / pairs.length / first / second;
}
