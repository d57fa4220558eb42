import { describe, expect, it } from 'vitest';
import { aSessionCeilings, reachedUnit, readCeiling } from './ceiling.ts';
import { aPriceTable, costOfTokens, priceOf } from './price-table.ts';

describe('readCeiling', () => {
  it.each([
    [['5usd'], { usd: 5 }],
    [['.5 USD'], { usd: 0.5 }],
    [['1 call'], { calls: 1 }],
    [[' 200 calls ', '20000 tokens', '1.5 seconds'], { calls: 200, tokens: 20_000, seconds: 1.5 }],
    [[], {}],
  ])('reads %j', (texts, ceiling) => {
    expect(readCeiling('--ceiling', texts)).toEqual(ceiling);
  });

  it.each([
    ['5'],
    ['5 eur'],
    ['0 calls'],
    ['-1 usd'],
    ['1.5 calls'],
    ['1e3 calls'],
    ['1,000 tokens'],
    ['usd 5'],
    [''],
    ['2 usds'],
    ['99999999999999999 calls'],
  ])('refuses %j, and says what it can read', (text) => {
    expect(() => readCeiling('--ceiling', [text])).toThrow(
      /^Expected --ceiling to be .*"200 calls".*, got "/,
    );
  });

  it('refuses a unit that is named twice', () => {
    expect(() => readCeiling('--ceiling', ['1 usd', '2 usd'])).toThrow(/got "2 usd"/);
  });
});

it('names the unit of which all was spent, rounding allowed for', () => {
  const spent = { calls: 3, tokens: 10, usd: 0.1 + 0.2 };
  expect(reachedUnit({}, spent)).toBeUndefined();
  expect(reachedUnit({ calls: 4, tokens: 11, usd: 0.4 }, spent)).toBeUndefined();
  expect(reachedUnit({ calls: 4, tokens: 10 }, spent)).toBe('tokens');
  expect(reachedUnit({ usd: 0.3 }, spent)).toBe('usd');
});

it('takes the first name that has a price, and 0 for a price', () => {
  const prices = { 'gpt-x': { input: 1, output: 2 }, free: { input: 0, output: 0 } };
  expect(priceOf(prices, 'gpt-x-2026', 'gpt-x')).toEqual({ input: 1, output: 2 });
  expect(priceOf(prices, 'free')).toEqual({ input: 0, output: 0 });
  expect(priceOf(prices, 'constructor', undefined)).toBeUndefined();
  expect(priceOf({ ...prices, '*': { input: 9, output: 9 } }, 'other')).toEqual({ input: 9, output: 9 });
  expect(costOfTokens({ input: 1, output: 2 }, 500_000, 250_000)).toBe(1);
  expect(() => aPriceTable({ m: { input: -1, output: 0 } }, 'prices')).toThrow(/prices of a million/);
});

it.each([
  [{}, true],
  [
    { sample: { calls: 2 }, run: { id: 'a', ceiling: { usd: 5 }, spent: { calls: 0, tokens: 0, usd: 0 } } },
    true,
  ],
  [{ sample: { pages: 2 } }, false],
  [{ sample: { calls: '2' } }, false],
  [{ run: { id: 1 } }, false],
  [{ prices: { m: 1 } }, false],
  [[], false],
])('checks ceilings that cross the wire: %j', (value, isRight) => {
  const check = (): unknown => aSessionCeilings(value, 'ceilings');
  if (isRight) expect(check()).toBe(value);
  else expect(check).toThrow(/^Expected/);
});
