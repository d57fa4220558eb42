import { haveSpread } from '@art/ground/figures';
import { Tally } from '../result/tally.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';

/** Groups from which nothing can be learnt, since all members have the same reward. */
export const groupWithoutSpread: HealthCheck = {
  id: 'group_without_spread',
  observe({ purpose, maxEqualGroupShare }) {
    const groups = new Map<string, { id: string; rewards: number[] }>();
    return {
      see({ id, inputId, outcome, reward }) {
        if (outcome !== 'ok' || reward === null || !Number.isFinite(reward)) return;
        const group = groups.get(inputId);
        if (group === undefined) groups.set(inputId, { id, rewards: [reward] });
        else group.rewards.push(reward);
      },
      judge() {
        const equal = new Tally();
        for (const { id, rewards } of groups.values())
          if (rewards.length > 1) equal.see(!haveSpread(rewards), { id });
        if (equal.seen === 0) return notObserved('no group has two rollouts with rewards');
        if (equal.share <= maxEqualGroupShare) return healthy;
        const level = equal.hits === equal.seen ? 'error' : 'warning';
        return equal.finding(
          purpose === 'evaluation' ? 'note' : level,
          `In ${equal.of('groups')} all rewards are equal, so their advantages are 0.`,
          'Choose tasks that the model solves sometimes, give parts of the reward for parts of the work, or take more rollouts for each input.',
        );
      },
    };
  },
};

export function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
