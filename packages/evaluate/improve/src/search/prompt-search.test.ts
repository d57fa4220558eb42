import { expect, it } from 'vitest';
import { paretoFronts } from './pareto-front.ts';
import { isImproved, PromptSearch } from './prompt-search.ts';

const [low, high] = [
  [0.1, 0.2, 0.3],
  [0.3, 0.2, 0.1],
];

it('the same scores in another order are no improvement, however they are rounded', () => {
  expect([isImproved(low, high), isImproved(high, low)]).toEqual([false, false]);
  expect(isImproved(low, [0.3, 0.2, 0.2])).toBe(true);
});

it('a candidate that only rounding puts before another one shares its front, and is not the best', () => {
  const search = new PromptSearch(1, 1, () => 0.99);
  search.add({ prompts: {}, parent: null, scores: new Map([['a', 0.3]]) });
  search.add({ prompts: {}, parent: 0, scores: new Map([['a', 0.1 + 0.2]]) });
  expect(search.best).toBe(0);
  expect(paretoFronts(search.candidates.map(({ scores }) => scores)).get('a')).toEqual(new Set([0, 1]));
});

it('of candidates with the same scores in another order the first is the best', () => {
  for (const rows of [
    [low, high],
    [high, low],
  ]) {
    const search = new PromptSearch(1, 1, () => 0);
    for (const [at, row] of rows.entries()) {
      const scores = new Map(row.map((score, task) => [String(task), score]));
      search.add({ prompts: {}, parent: at === 0 ? null : 0, scores });
    }
    expect(search.best).toBe(0);
  }
});
