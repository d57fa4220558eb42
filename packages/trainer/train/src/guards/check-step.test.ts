import { expect, it } from 'vitest';
import type { SettledGroup } from '../rollouts/settled-groups.ts';
import { checkRewards } from './check-step.ts';

const groupsOf = (...rewards: number[]): SettledGroup[] => [
  {
    position: 0,
    rewards,
    withoutRows: 0,
    problem: undefined,
    rows: [],
    kind: 'trains',
    error: undefined,
    acknowledge: () => Promise.resolve(),
  },
];

it('a reward that is the end of the range but for rounding is in it', () => {
  const check =
    (range: [number, number] | undefined, ...rewards: number[]) =>
    () =>
      checkRewards(groupsOf(...rewards), range);
  expect(check([0, 1], 0.2 + 0.4 + 0.3 + 0.1, 1 - 0.9 - 0.1)).not.toThrow();
  expect(check([-0.3, 0.3], -0.1 - 0.2, 0.1 + 0.2)).not.toThrow();
  expect(check(undefined, 7)).not.toThrow();
});

it.each([1.000_001, -0.001, NaN])('a reward of %d outside of it ends training', (reward) => {
  expect(() => checkRewards(groupsOf(0.5, reward), [0, 1])).toThrow(
    expect.objectContaining({ code: 'ART_TRAIN_REWARD_RANGE' }) as Error,
  );
});
