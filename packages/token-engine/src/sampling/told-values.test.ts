import { expect, it } from 'vitest';
import { readWeightSpans } from './told-values.ts';

it('reads versions that are texts or numbers', () => {
  expect(
    readWeightSpans([
      { version: 'step-4', start: 0, end: 2 },
      { version: 5, start: 2, end: 3 },
    ]),
  ).toEqual([
    { version: 'step-4', start: 0, end: 2 },
    { version: '5', start: 2, end: 3 },
  ]);
});

it.each([
  [undefined],
  ['x'],
  [[7]],
  [[{ start: 0, end: 1 }]],
  [[{ version: 'a', start: 0 }]],
  [[{ version: 'a', start: 0, end: 'x' }]],
])('makes no version of %j', (value) => {
  expect(readWeightSpans(value)).toBeUndefined();
});
