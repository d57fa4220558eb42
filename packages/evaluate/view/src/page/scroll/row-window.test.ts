import { expect, it } from 'vitest';
import { rowWindow, scrollHeightOf, scrollTopFor } from './row-window.ts';

it('rows cover the box wherever it is scrolled', () => {
  for (let scrollTop = 0; scrollTop <= 50_000 * 36; scrollTop += 9_973) {
    const { first, last, offset } = rowWindow(50_000, 36, 700, scrollTop);
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(last === 50_000 || (last - first) * 36 - offset >= 700).toBe(true);
    expect(last - first).toBeLessThan(23);
  }
});

it('of more rows than a browser can lay out, the first and the last can be reached', () => {
  const count = 20_000_000;
  const height = scrollHeightOf(count, 20);
  expect(height).toBeLessThan(17_000_000);
  expect(rowWindow(count, 20, 480, 0)).toMatchObject({ first: 0, offset: 0 });
  expect(rowWindow(count, 20, 480, height - 480)).toMatchObject({ first: count - 24, last: count });
});

it('scrolls no further than needed', () => {
  expect(scrollTopFor(5, 100, 36, 360, 0)).toBe(0);
  expect(scrollTopFor(10, 100, 36, 360, 0)).toBe(36);
  expect(scrollTopFor(2, 100, 36, 360, 360)).toBe(72);
  expect(rowWindow(0, 36, 360, 0)).toEqual({ first: 0, last: 0, offset: 0 });
});
