import { expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.ts';

const draw = (random: SeededRandom, count: number) => Array.from({ length: count }, () => random.next());

it('repeats itself for the same seed', () => {
  expect(draw(new SeededRandom(1, 'a'), 50)).toEqual(draw(new SeededRandom(1, 'a'), 50));
});

it('heeds every part of the seed', () => {
  const first = [['a', 'bc'], ['ab', 'c'], ['a'], [1], ['1'], [1, 2]].map((seed) =>
    new SeededRandom(...seed).next(),
  );
  expect(new Set(first).size).toBe(first.length);
});

it('is uniform', () => {
  const counts = [0, 0, 0, 0, 0, 0];
  const random = new SeededRandom('dice');
  for (let throws = 0; throws < 60_000; throws += 1) {
    const face = random.integer(1, 6) - 1;
    counts[face] = (counts[face] ?? 0) + 1;
  }
  // 99.9 % of all seeds stay within 3.5 standard deviations (91 each).
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(320);
});

it('keeps to its bounds', () => {
  const numbers = draw(new SeededRandom(7), 10_000);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(new SeededRandom(1).integer(5, 5)).toBe(5);
});

it('does not pick from nothing', () => {
  expect(() => new SeededRandom(1).pick([])).toThrow(RangeError);
});
