import { describe, expect, it } from 'vitest';
import { figureChange, haveSpread, isAbove, isAtLeast, isInRange, isSameFigure } from './index.ts';

const sum = (...parts: number[]): number => parts.reduce((total, part) => total + part, 0);
const sumOf = (count: number, part: number): number => sum(...(Array(count).fill(part) as number[]));

/** Sums of decimals as doubles have them, and as they are meant. */
const rounded: [string, number, number][] = [
  ['0.1 + 0.2', 0.1 + 0.2, 0.3],
  ['0.1 * 3', 0.1 * 3, 0.3],
  ['0.7 + 0.1', 0.7 + 0.1, 0.8],
  ['1/3 three times', sum(1 / 3, 1 / 3, 1 / 3), 1],
  ['the weights .6, .3, .1', sum(0.6, 0.3, 0.1), 1],
  ['the weights .2, .4, .3, .1', sum(0.2, 0.4, 0.3, 0.1), 1],
  ['a mean of 0.6', sumOf(10, 0.6) / 10, 0.6],
  ['a sum of many', sumOf(100_000, 0.1), 10_000],
  ['a rest beside 0', sum(1, -0.9, -0.1), 0],
  ['large rewards', sum(100_000.1, 200_000.2), 300_000.3],
  ['negative rewards', sum(-0.1, -0.2), -0.3],
  ['a million and a bit', 1e6 * 1.1, 1_100_000],
];

describe('what rounding tells apart', () => {
  it.each(rounded)('%s is the same, reaches it, and lies in a range that ends there', (_, got, meant) => {
    expect(isSameFigure(got, meant)).toBe(true);
    expect([isAtLeast(got, meant), isAtLeast(meant, got)]).toEqual([true, true]);
    expect([isAbove(got, meant), isAbove(meant, got)]).toEqual([false, false]);
    expect([isInRange(got, [meant, meant + 1]), isInRange(got, [meant - 1, meant])]).toEqual([true, true]);
    expect(haveSpread([got, meant, got])).toBe(false);
    expect(figureChange(got, meant)).toBe(0);
  });
});

it.each([
  ['decimals with eight digits', 0.6, 0.600_000_01],
  ['negative ones', -0.5, -0.499_999],
  ['large ones', 1e6, 1e6 + 0.01],
  ['small ones', 0, 1e-9],
  ['small ones beside each other', 1e-10, 2e-10],
  ['an infinity and the largest number', Number.MAX_VALUE, Infinity],
  ['both infinities', -Infinity, Infinity],
])('%s are not the same', (_, lower, higher) => {
  expect(isSameFigure(lower, higher)).toBe(false);
  expect([isAbove(higher, lower), isAbove(lower, higher)]).toEqual([true, false]);
  expect([isAtLeast(lower, higher), isInRange(higher, [-Infinity, lower])]).toEqual([false, false]);
  expect(haveSpread([lower, higher])).toBe(true);
  expect(figureChange(lower, higher)).toBeGreaterThan(0);
});

it('nothing is said of NaN, and one figure has no spread', () => {
  expect([isSameFigure(NaN, NaN), isAtLeast(NaN, 0), isAbove(0, NaN), isInRange(NaN, [0, 1])]).toEqual(
    Array(4).fill(false),
  );
  expect([haveSpread([]), haveSpread([1]), isSameFigure(Infinity, Infinity)]).toEqual([false, false, true]);
});
