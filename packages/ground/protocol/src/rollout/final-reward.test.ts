import { expect, it } from 'vitest';
import { finalReward, readReward, type RewardProblem } from './final-reward.ts';
import type { ResultDocument } from './result-document.ts';

it.each<[unknown, number | undefined]>([
  [0.5, 0.5],
  [[0, 1], 1],
  [[], undefined],
  [undefined, undefined],
  [[1, Number.NaN], undefined],
  ['1', undefined],
  [[1, [2]], undefined],
])('finalReward of rewards %j is %j', (rewards, expected) => {
  expect(finalReward({ rewards })).toBe(expected);
});

it.each<[ResultDocument, number | undefined]>([
  [{ reward: 0.5 }, 0.5],
  [{ reward: 0.5, rewards: [0, 1] }, 1],
  [{ reward: 0.5, rewards: null }, 0.5],
  [{ reward: Number.NaN }, undefined],
])('finalReward(%j) is %j', (document, expected) => {
  expect(finalReward(document)).toBe(expected);
});

it.each<[ResultDocument, RewardProblem['kind'], string]>([
  [{}, 'absent', 'it has neither'],
  [{ rewards: null, reward: null }, 'absent', 'got null'],
  [{ rewards: [] }, 'empty', 'an empty list'],
  [{ rewards: 'good' }, 'not_a_number', 'got "good".'],
  [{ rewards: '1' }, 'not_a_number', 'got "1".'],
  [{ rewards: true }, 'not_a_number', 'got true.'],
  [{ rewards: { turn: 1 } }, 'not_a_number', 'got an object.'],
  [{ rewards: [1, 'x'] }, 'not_a_number', 'got "x" at the end of the list.'],
  [{ rewards: [], reward: 1 }, 'empty', 'an empty list'],
  [{ reward: Number.NaN }, 'not_finite', 'got NaN.'],
  [{ rewards: [1, -Infinity] }, 'not_finite', 'got -Infinity at the end of the list.'],
])('readReward(%j) says why there is none: %s', (document, kind, words) => {
  expect(readReward(document)).toEqual({
    reward: undefined,
    problem: { kind, message: expect.stringContaining(words) as string },
  });
});
