import { describe, expect, it } from 'vitest';
import { groupAdvantages, type AdvantageOptions } from './group-advantages.ts';
import { turnAdvantages } from './turn-advantages.ts';

const every: AdvantageOptions[] = [
  {},
  { scale: 'population' },
  { scale: 'sample', epsilon: 0.01 },
  { baseline: 'leave_one_out' },
];

/** The same numbers on every run. */
function seededGroups(count: number): (number[] | undefined)[][] {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const rollout = (): number[] => Array.from({ length: 1 + next(6) }, () => next(2_001) / 1_000 - 1);
  return Array.from({ length: count }, () => [
    rollout(),
    rollout(),
    ...Array.from({ length: next(5) }, () => (next(5) === 0 ? undefined : rollout())),
  ]);
}

/** The rule in the words of a textbook, in quadratic time. */
function reference(group: (number[] | undefined)[], { discount = 1, turnBaseline }: AdvantageOptions) {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const goal = (turns: number[], k: number): number =>
    turns.slice(k).reduce((sum, reward, j) => sum + discount ** j * reward, 0);
  const known = group.filter((turns) => turns !== undefined);
  return group.map((turns) =>
    turns?.map((_, k) => {
      const there = known.filter(({ length }) => turnBaseline === 'turn' && length > k);
      return (
        goal(turns, k) - mean(there.length > 1 ? there.map((t) => goal(t, k)) : known.map((t) => goal(t, 0)))
      );
    }),
  );
}

describe('turnAdvantages', () => {
  it.each<AdvantageOptions>([
    {},
    { discount: 0.9 },
    { turnBaseline: 'turn' },
    { turnBaseline: 'turn', discount: 0.5 },
  ])('is the return from each turn on minus the baseline: %j', (options) => {
    for (const group of seededGroups(300)) {
      const got = turnAdvantages(group, options);
      for (const [member, expected] of reference(group, options).entries()) {
        expect(got[member]?.length).toBe(expected?.length);
        for (const [turn, value] of (expected ?? []).entries())
          expect(got[member]![turn]).toBeCloseTo(value, 9);
      }
    }
  });

  it.each(every)(
    'is exactly the advantage of the rollout where only the last turn is rewarded: %j',
    (options) => {
      for (const group of seededGroups(300)) {
        const rewards = group.map((turns) => turns?.at(-1));
        const atTheEnd = group.map((turns) => turns?.map((_, k) => (k === turns.length - 1 ? turns[k]! : 0)));
        const whole = groupAdvantages(rewards, options);
        expect(turnAdvantages(atTheEnd, options)).toEqual(
          group.map((turns, member) => turns?.map(() => whole[member]!)),
        );
      }
    },
  );

  it('tells turns of rollouts with the same total apart, and bounds what a deviation of 0 would blow up', () => {
    const [first, second] = turnAdvantages(
      [
        [1, 0],
        [0, 1],
      ],
      { scale: 'population' },
    );
    expect(first).not.toEqual(second);
    for (const value of [...first!, ...second!]) expect(Math.abs(value)).toBeLessThan(2);
  });

  it.each(every)('says nothing of a sole rollout, nor of rewards of 0: %j', (options) => {
    expect(turnAdvantages([[1, 2], undefined], options)).toEqual([[0, 0], undefined]);
    expect(turnAdvantages([[0, 0], [0]], options)).toEqual([[0, 0], [0]]);
  });

  it('says nothing of rollouts that are rewarded alike, where each turn has its own baseline', () => {
    expect(
      turnAdvantages(
        [
          [0.1, 0.1, 0.1],
          [0.1, 0.1, 0.1],
        ],
        { turnBaseline: 'turn' },
      ),
    ).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });
});
