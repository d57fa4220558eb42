import { expect, it } from 'vitest';
import { MajorityReward } from './majority-reward.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';

class Says extends RewardFunction<string> {
  readonly #value: RewardValue | Error;

  constructor(value: RewardValue | Error) {
    super();
    this.#value = value;
  }

  protected override evaluate(): RewardValue {
    if (this.#value instanceof Error) throw this.#value;
    return this.#value;
  }
}

const down = new Error('the endpoint is down');

const judged = async (values: readonly (RewardValue | Error)[], passReward?: number) => {
  const remarks: string[] = [];
  const reward = new MajorityReward(
    values.map((value) => new Says(value)),
    { passReward },
  );
  return { value: await reward.compute('x', { remark: (text) => remarks.push(text) }), remarks };
};

it('is what more than half of the judges say', async () => {
  expect(await judged([1, 1, 1])).toEqual({ value: 1, remarks: [] });
  expect(await judged([1, 0, 1])).toEqual({ value: 1, remarks: ['2 of 3 judges passed it, 0 failed.'] });
  expect((await judged([0.4, 0.6, [0, 0.2]], 0.5)).value).toBe(0);
  expect((await judged([0.3 - 0.1, 0.2, 0], 0.2)).value).toBe(1);
});

it('counts a judge that fails neither for nor against', async () => {
  expect(await judged([1, down, 1])).toEqual({ value: 1, remarks: ['2 of 3 judges passed it, 1 failed.'] });
  expect((await judged([0, 0, down])).value).toBe(0);
  await expect(judged([1, down, 0])).rejects.toMatchObject({
    code: 'ART_JUDGE_FAILED',
    message: expect.stringContaining('1 for a pass and 1 against: the endpoint is down') as string,
  });
  await expect(judged([1, 1, down, down, down])).rejects.toMatchObject({ code: 'ART_JUDGE_FAILED' });
});

it('ends with its signal', async () => {
  const reward = new MajorityReward([new Says(1), new Says(1), new Says(down)]);
  await expect(reward.compute('x', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  );
});

it.each([[[]], [[new Says(1)]], [[new Says(1), new Says(1)]], [[new Says(1), new Says(1), {}]]])(
  'refuses %j',
  (judges) => {
    expect(() => new MajorityReward(judges as Says[])).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
    );
  },
);
