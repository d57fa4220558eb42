import { expect, it } from 'vitest';
import { readGoal } from './goal.ts';

it.each([
  ['mean >= 0.8', { figure: { name: 'mean' }, kind: 'claim', side: 'above', bound: 0.8 }],
  [' mean  <  -1 ', { figure: { name: 'mean' }, kind: 'claim', side: 'below', bound: -1 }],
  ['pass@1>70%', { figure: { name: 'pass', k: 1, of: 'any' }, kind: 'claim', side: 'above', bound: 0.7 }],
  ['pass^4 > .5', { figure: { name: 'pass', k: 4, of: 'all' }, kind: 'claim', side: 'above', bound: 0.5 }],
  [
    'difference from .art/evals/a b > 0',
    { figure: { name: 'difference', baseline: '.art/evals/a b' }, kind: 'claim', side: 'above', bound: 0 },
  ],
  ['width < 0.05', { figure: { name: 'mean' }, kind: 'width', width: 0.05 }],
])('reads %j', (text, goal) => {
  expect(readGoal(text)).toEqual({ text: text.trim(), ...goal });
});

it.each([
  '',
  'mean',
  'mean > high',
  'pass@0 > 0.5',
  'width > 0.1',
  'width < 0',
  'difference from > 0',
  'mean > 1 2',
  7,
])('refuses %j with examples', (text) => {
  expect(() => readGoal(text)).toThrow(/^Expected `until` to be .*, got .*\.$/);
});
