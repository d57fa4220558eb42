import { expect, it } from 'vitest';
import { ExactMatchReward, type ExactMatchRewardOptions } from './exact-match-reward.ts';

it.each<[string, string | number, ExactMatchRewardOptions, number]>([
  ['Paris', 'Paris', {}, 1],
  [' Paris\n', 'Paris', {}, 1],
  [' Paris', 'Paris', { trim: false }, 0],
  ['paris', 'Paris', {}, 0],
  ['paris', 'Paris', { ignoreCase: true }, 1],
  ['Paris, France', 'Paris', {}, 0],
  ['18', 18, {}, 1],
  ['18.0', 18, {}, 0],
  ['cafe\u0301', 'caf\u00e9', {}, 1],
  ['Paris', 'Paris', { score: 0.5 }, 0.5],
])('%j against %j with %o gives %d', async (responseText, groundTruth, options, reward) => {
  await expect(new ExactMatchReward(options).compute({ responseText, groundTruth })).resolves.toBe(reward);
});

it('refuses an empty ground truth, which nothing can match', async () => {
  await expect(new ExactMatchReward().compute({ responseText: '', groundTruth: '' })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
  });
});

it('refuses a score that is not finite', () => {
  expect(() => new ExactMatchReward({ score: Infinity })).toThrow('Expected `score` to be a finite number');
});
