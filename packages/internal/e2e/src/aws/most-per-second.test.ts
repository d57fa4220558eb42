import { expect, it } from 'vitest';
import { mostPerSecond } from './most-per-second.ts';

it.each<[string, number[], number]>([
  ['nothing', [], 0],
  ['an even pace', Array.from({ length: 100 }, (_, n) => n * 40), 25],
  ['a burst at the edge of two seconds', [900, 950, 990, 1_010, 1_050, 1_900], 5],
  ['a second is open at its end', [0, 1_000, 2_000], 1],
  ['order does not matter', [1_500, 0, 1_400, 700], 3],
])('%s', (_, timesMs, most) => {
  expect(mostPerSecond(timesMs)).toBe(most);
});
