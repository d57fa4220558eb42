import { expect, expectTypeOf, it } from 'vitest';
import type { GSM8KReward } from './gsm8k-reward.ts';
import { RewardFunction } from './reward-function.ts';
import type { RewardValue } from './reward-value.ts';
import type { TextAnswer } from './text-answer.ts';

class Brevity extends RewardFunction<{ words: number[] }, number[]> {
  protected override evaluate({ words }: { words: number[] }): number[] {
    return words.map((count) => 1 / count);
  }
}

class Judge extends RewardFunction<string> {
  protected override async evaluate(text: string): Promise<RewardValue> {
    await Promise.resolve();
    if (text === '') throw new Error('nothing to judge');
    return text.length;
  }
}

it('computes one number a turn', async () => {
  await expect(new Brevity().compute({ words: [1, 4] })).resolves.toEqual([1, 0.25]);
});

it('waits for an asynchronous judgement', async () => {
  await expect(new Judge().compute('abc')).resolves.toBe(3);
});

it('passes on what the judgement throws', async () => {
  await expect(new Judge().compute('')).rejects.toThrow('nothing to judge');
});

it('turns an exception of a synchronous judgement into a rejection', async () => {
  class Broken extends RewardFunction<string, number> {
    protected override evaluate(): number {
      throw new TypeError('broken');
    }
  }
  const computed = new Broken().compute('x');
  await expect(computed).rejects.toThrow('broken');
});

it('refuses a NaN and names the class', async () => {
  await expect(new Brevity().compute({ words: [3, Number.NaN] })).rejects.toMatchObject({
    code: 'ART_REWARD_INVALID',
    message: expect.stringContaining('element 1 of the reward of Brevity'),
  });
});

it('types input and value', () => {
  expectTypeOf<Brevity['compute']>().parameter(0).toEqualTypeOf<{ words: number[] }>();
  expectTypeOf<Brevity['compute']>().returns.resolves.toEqualTypeOf<number[]>();
  expectTypeOf<Judge['compute']>().returns.resolves.toEqualTypeOf<RewardValue>();
  expectTypeOf<GSM8KReward['compute']>().parameter(0).toEqualTypeOf<TextAnswer>();
  expectTypeOf<GSM8KReward['compute']>().returns.resolves.toEqualTypeOf<number>();
});
