import { describe, expect, expectTypeOf, it } from 'vitest';
import { ClipReward } from './clip-reward.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';
import { WeightedSumReward } from './weighted-sum-reward.ts';

class Fixed<Value extends RewardValue> extends RewardFunction<unknown, Value> {
  readonly value: Value;
  constructor(value: Value) {
    super();
    this.value = value;
  }
  protected override evaluate(): Value {
    return this.value;
  }
}

class Length extends RewardFunction<{ text: string }, number> {
  protected override evaluate({ text }: { text: string }): number {
    return text.length;
  }
}

class Turns extends RewardFunction<{ turns: number[] }, number[]> {
  protected override evaluate({ turns }: { turns: number[] }): number[] {
    return turns;
  }
}

const term = (value: RewardValue, weight: number) => ({ reward: new Fixed(value), weight });

describe('WeightedSumReward', () => {
  it.each<[string, RewardValue[], number[], RewardValue]>([
    ['numbers', [1, 0.5], [0.8, 0.2], 0.9],
    [
      'lists turn by turn',
      [
        [1, 2],
        [10, 20],
      ],
      [1, 0.5],
      [6, 12],
    ],
    ['a number to the last turn of a list', [[1, 1, 1], 4], [1, 0.5], [1, 1, 3]],
    ['a list to a number', [4, [1, 1]], [0.5, 1], [1, 3]],
    ['negative weights as penalties', [1, 3], [1, -0.1], 0.7],
  ])('adds %s', async (_name, values, weights, sum) => {
    const terms = values.map((value, index) => term(value, weights[index] ?? 0));
    const computed = await new WeightedSumReward(terms).compute(undefined);
    const expected = [sum].flat().map((turn) => expect.closeTo(turn, 12) as number);
    expect([computed].flat()).toEqual(expected);
    expect(Array.isArray(computed)).toBe(Array.isArray(sum));
  });

  it('refuses lists of different lengths', async () => {
    await expect(
      new WeightedSumReward([term([1, 2], 1), term([1], 1)]).compute(undefined),
    ).rejects.toMatchObject({ code: 'ART_REWARD_INVALID', message: expect.stringContaining('got 2 and 1') });
  });

  it('refuses a NaN of a summand also at weight 0', async () => {
    await expect(
      new WeightedSumReward([term(Number.NaN, 0), term(1, 1)]).compute(undefined),
    ).rejects.toMatchObject({
      code: 'ART_REWARD_INVALID',
      message: expect.stringContaining('the reward of Fixed'),
    });
  });

  it('refuses a sum that overflows', async () => {
    await expect(new WeightedSumReward([term(1e308, 10)]).compute(undefined)).rejects.toMatchObject({
      code: 'ART_REWARD_INVALID',
    });
  });

  it.each<[unknown, string]>([
    [[], '`terms` to be a non-empty list'],
    [undefined, '`terms` to be a non-empty list'],
    [[{ reward: () => 1, weight: 1 }], '`terms[0].reward` to be a RewardFunction, got the function reward'],
    [[term(1, 1), undefined], '`terms[1].reward` to be a RewardFunction, got undefined'],
    [[term(1, 1), term(1, Number.NaN)], '`terms[1].weight` to be a finite number, got NaN'],
  ])('refuses the terms %o', (terms, message) => {
    expect(() => new WeightedSumReward(terms as never)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(message) }),
    );
  });

  it('takes an input that suits every summand', async () => {
    const sum = new WeightedSumReward<{ text: string; turns: number[] }>([
      { reward: new Length(), weight: 1 },
      { reward: new Turns(), weight: 1 },
    ]);
    await expect(sum.compute({ text: 'abc', turns: [1, 2] })).resolves.toEqual([1, 5]);
    // @ts-expect-error -- the input lacks what Turns needs
    const wrong = (): Promise<RewardValue> => sum.compute({ text: 'abc' });
    expectTypeOf(wrong).returns.resolves.toEqualTypeOf<RewardValue>();
  });
});

describe('ClipReward', () => {
  it.each<[RewardValue, { min?: number; max?: number }, RewardValue]>([
    [5, { max: 1 }, 1],
    [-5, { min: -1 }, -1],
    [0.5, { min: 0, max: 1 }, 0.5],
    [[-2, 0.5, 2], { min: 0, max: 1 }, [0, 0.5, 1]],
    [7, { min: 3, max: 3 }, 3],
  ])('clips %j by %o to %j', async (value, bounds, clipped) => {
    await expect(new ClipReward(new Fixed(value), bounds).compute(undefined)).resolves.toEqual(clipped);
  });

  it('does not clip a NaN or an infinity away', async () => {
    for (const value of [Number.NaN, Infinity]) {
      await expect(new ClipReward(new Fixed(value), { max: 1 }).compute(undefined)).rejects.toMatchObject({
        code: 'ART_REWARD_INVALID',
      });
    }
  });

  it.each<[unknown, unknown, string]>([
    [new Fixed(1), {}, '`options` to be an object with min, max or both'],
    [new Fixed(1), undefined, '`options` to be an object with min, max or both'],
    [new Fixed(1), { min: Number.NaN }, '`min` to be a finite number, got NaN'],
    [new Fixed(1), { max: Infinity }, '`max` to be a finite number, got Infinity'],
    [new Fixed(1), { min: 2, max: 1 }, '`min` to be at most max (1), got 2'],
    [{}, { max: 1 }, '`reward` to be a RewardFunction, got an object'],
  ])('refuses %o with %o', (reward, options, message) => {
    expect(() => new ClipReward(reward as never, options as never)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION', message: expect.stringContaining(message) }),
    );
  });

  it('keeps the types of the inner reward', () => {
    const clipped = new ClipReward(new Turns(), { max: 1 });
    expectTypeOf<(typeof clipped)['compute']>().parameter(0).toEqualTypeOf<{ turns: number[] }>();
    expectTypeOf<(typeof clipped)['compute']>().returns.resolves.toEqualTypeOf<number[]>();
  });
});
