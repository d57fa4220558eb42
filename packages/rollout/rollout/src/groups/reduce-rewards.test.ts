import { parseJson } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { reduceRewards, rewardRuleNames, type RewardRule } from './reduce-rewards.ts';

describe('reduceRewards', () => {
  it.each<[RewardRule, number]>([
    ['last', 4],
    ['sum', 6],
    ['mean', 2],
    ['max', 4],
    ['min', -1],
    [(rewards) => rewards[0]!, 3],
  ])('%s of several turns', (rule, expected) => {
    expect(reduceRewards([3, -1, 4], rule)).toBe(expected);
  });

  it('reads the last turn unless told otherwise', () => {
    expect(reduceRewards([1, 2])).toBe(2);
  });

  it.each(rewardRuleNames)('%s leaves a single reward as it is', (rule) => {
    expect(reduceRewards(0.25, rule)).toBe(0.25);
    expect(reduceRewards([0.25], rule)).toBe(0.25);
    expect(reduceRewards(0, rule)).toBe(0);
  });

  it('gives a function the single reward as a list of one', () => {
    expect(reduceRewards(2, (rewards) => rewards.length)).toBe(1);
  });

  it.each([...rewardRuleNames, (rewards: readonly number[]) => rewards.length])(
    '%s makes nothing up where there is no finite number',
    (rule) => {
      for (const text of ['null', '"1"', '[]', 'NaN', '[Infinity]', '[1, NaN]', '[1, null]', '{}', 'true']) {
        expect(reduceRewards(parseJson(text), rule)).toBeUndefined();
      }
      expect(reduceRewards(undefined, rule)).toBeUndefined();
    },
  );

  it('lets an earlier turn be unreadable for the last one only', () => {
    expect(reduceRewards([Number.NaN, 1], 'last')).toBe(1);
    for (const rule of ['sum', 'mean', 'max', 'min'] as const) {
      expect(reduceRewards([Number.NaN, 1], rule)).toBeUndefined();
    }
  });

  it('refuses what a rule makes infinite or not a number', () => {
    expect(reduceRewards([1e308, 1e308], 'sum')).toBeUndefined();
    expect(reduceRewards([1], () => Number.NaN)).toBeUndefined();
    expect(reduceRewards([1], () => '1' as unknown as number)).toBeUndefined();
  });

  it('takes a million turns', () => {
    const turns = Array.from({ length: 1_000_000 }, (_, turn) => turn);
    expect(reduceRewards(turns, 'max')).toBe(999_999);
  });
});
