import { expect, it } from 'vitest';
import { isReducer, isSameReduction, reduceScores, reductionText } from './reduce-scores.ts';

const by = (reduce: string | undefined, samples = 5, passReward = 1) => ({ reduce, samples, passReward });

it.each([
  [undefined, [1, 0, 0.5], [1, 0, 0.5]],
  ['median', [1, 0, 0.4], [0.4]],
  ['median', [1, 0, 0.4, 0.2], [0.3]],
  ['median', [], []],
  ['mode', [0.5, 1, 0.5, 0], [0.5]],
  // Of 1 and 0.3, which are equally frequent, the lower one; 0.1 + 0.2 is 0.3.
  ['mode', [1, 0.1 + 0.2, 1, 0.3], [0.3]],
  ['mode', [1], [1]],
  ['mode', [], []],
  ['at-least:2', [1, 0, 1], [1]],
  ['at-least:2', [0, 0, 0, 0], [0]],
  ['at-least:2', [0, 0, 0, 0, 1], [0]],
  // One passes, and the lost one decides.
  ['at-least:2', [1, 0, 0, 0], []],
  ['at-least:3', [], []],
])('%s of %j is %j', (reduce, scores, wanted) => {
  const reduced = reduceScores(scores, by(reduce));
  expect(reduced.map((score) => Number(score.toFixed(9)))).toEqual(wanted);
});

it('knows its names, in words too', () => {
  const names = [
    'mean',
    'median',
    'mode',
    'at-least:2',
    'at-least:0',
    'at-least:1.5',
    'max',
    '',
    2,
    'constructor',
  ];
  expect(names.filter(isReducer)).toEqual(['mean', 'median', 'mode', 'at-least:2']);
  expect([reductionText(by(undefined)), reductionText(by('at-least:2', 3))]).toEqual([
    'the mean of 5 samples',
    'at least 2 of 3 samples pass',
  ]);
});

it.each([
  [by(undefined, 3), by('mean', 5), true],
  [by('median', 3), by('median', 3, 0.5), true],
  [by('median', 3), by('median', 5), false],
  [by('median'), by(undefined), false],
  [by('at-least:2'), by('at-least:2'), true],
  [by('at-least:2'), by('at-least:3'), false],
  [by('at-least:2', 3), by('at-least:2', 3, 0.5), false],
])('%j and %j can be compared: %s', (first, second, isSame) => {
  expect([isSameReduction(first, second), isSameReduction(second, first)]).toEqual([isSame, isSame]);
});
