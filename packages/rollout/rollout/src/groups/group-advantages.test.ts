import { describe, expect, it } from 'vitest';
import { groupAdvantages, type AdvantageOptions } from './group-advantages.ts';
import { turnAdvantages } from './turn-advantages.ts';

const population: AdvantageOptions = { scale: 'population' };
const sample: AdvantageOptions = { scale: 'sample' };
const leaveOneOut: AdvantageOptions = { baseline: 'leave_one_out' };
const every = [{}, population, sample, leaveOneOut] as const;

/** The same numbers on every run, so that a failure can be looked at again. */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const rounded = (values: (number | undefined)[]): (number | undefined)[] =>
  values.map((value) => (value === undefined ? undefined : Math.round(value * 1e9)));

describe('groupAdvantages', () => {
  it('subtracts the mean', () => {
    expect(rounded(groupAdvantages([1, 0, 0, 1, 3]))).toEqual([0, -1e9, -1e9, 0, 2e9]);
  });

  it('divides by the deviation over n or n - 1, plus epsilon', () => {
    const rewards = [1, 2, 3, 6];
    expect(rounded(groupAdvantages(rewards, population))).toEqual(
      rounded([-2, -1, 0, 3].map((difference) => difference / (Math.sqrt(14 / 4) + 1e-6))),
    );
    expect(rounded(groupAdvantages(rewards, { scale: 'sample', epsilon: 0.5 }))).toEqual(
      rounded([-2, -1, 0, 3].map((difference) => difference / (Math.sqrt(14 / 3) + 0.5))),
    );
  });

  it('leaves each one out of its own baseline', () => {
    expect(rounded(groupAdvantages([1, 2, 6], leaveOneOut))).toEqual(rounded([1 - 4, 2 - 3.5, 6 - 1.5]));
  });

  it.each(every)('says nothing of rewards that only rounding tells apart: %j', (options) => {
    expect(groupAdvantages([0.1 + 0.2, 0.3, 0.3], options)).toEqual([0, 0, 0]);
    expect(groupAdvantages([0.6 + 0.3 + 0.1, 1, 0.2 + 0.4 + 0.3 + 0.1], options)).toEqual([0, 0, 0]);
    const turns = turnAdvantages(
      [
        [0.1, 0.2],
        [0, 0.3],
        [0.3, 0],
      ].map(([one, other]) => [one! + other!]),
      options,
    );
    expect(turns).toEqual([[0], [0], [0]]);
  });

  it.each(every)('says nothing of equal rewards, however they round: %j', (options) => {
    expect(groupAdvantages([0.1, 0.1, 0.1], options)).toEqual([0, 0, 0]);
    expect(groupAdvantages([0, 0], options)).toEqual([0, 0]);
    expect(groupAdvantages([5], options)).toEqual([0]);
    expect(groupAdvantages([], options)).toEqual([]);
  });

  it.each(every)('counts a member without reward for nothing: %j', (options) => {
    const whole = groupAdvantages([1, 4, 2], options);
    expect(groupAdvantages([undefined, 1, 4, undefined, 2], options)).toEqual([
      undefined,
      whole[0],
      whole[1],
      undefined,
      whole[2],
    ]);
    expect(groupAdvantages([undefined, 3], options)).toEqual([undefined, 0]);
    expect(groupAdvantages([undefined], options)).toEqual([undefined]);
  });

  it.each(every)('sums to nothing, keeps the order and stays finite for 2,000 groups: %j', (options) => {
    const next = seededNumbers(20_260_101);
    for (let round = 0; round < 2_000; round += 1) {
      const scale = 10 ** Math.round(next() * 300 - 150);
      const rewards = Array.from({ length: 2 + Math.floor(next() * 31) }, () =>
        next() < 0.2 ? undefined : (next() - 0.5) * scale,
      );
      const advantages = groupAdvantages(rewards, options);
      const known = advantages.filter((advantage) => advantage !== undefined);
      expect(known.every((advantage) => Number.isFinite(advantage))).toBe(true);
      const most = known.reduce((max, advantage) => Math.max(max, Math.abs(advantage)), 0);
      const sum = known.reduce((total, advantage) => total + advantage, 0);
      expect(Math.abs(sum)).toBeLessThanOrEqual(most * 1e-9);
      const order = (values: (number | undefined)[]): number[] =>
        values
          .map((value, place) => ({ value, place }))
          .filter((entry) => entry.value !== undefined)
          .toSorted((a, b) => a.value! - b.value!)
          .map((entry) => entry.place);
      if (most > 0) expect(order(advantages)).toEqual(order(rewards));
    }
  });

  it.each([population, sample])('gives a deviation of one where epsilon does not matter: %j', (options) => {
    const advantages = groupAdvantages([3, 9, 27, 81], options) as number[];
    const squares = advantages.reduce((sum, advantage) => sum + advantage ** 2, 0);
    expect(Math.sqrt(squares / (options.scale === 'sample' ? 3 : 4))).toBeCloseTo(1, 5);
  });
});
