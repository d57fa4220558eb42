import { expect, it } from 'vitest';
import { lookupsOf, words } from './task.ts';

it('every word is a key and a value in each step, never its own, and a seed draws the same again', () => {
  const draws = Array.from({ length: 40 }, (_, step) => lookupsOf(7, step));
  for (const draw of draws) {
    expect(draw.map(({ key }) => key)).toEqual(words);
    expect(draw.map(({ value }) => value).toSorted()).toEqual(words.toSorted());
    expect(draw.filter(({ key, value }) => key === value)).toEqual([]);
  }
  expect(Array.from({ length: 40 }, (_, step) => lookupsOf(7, step))).toEqual(draws);
  expect(new Set(draws.map((draw) => draw[0]!.value)).size).toBe(words.length - 1);
  expect(Array.from({ length: 40 }, (_, step) => lookupsOf(8, step))).not.toEqual(draws);
});
