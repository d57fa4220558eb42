import { expect, it, vi } from 'vitest';
import { shortlist } from './thorough.ts';

it.each([
  [undefined, [1, 2]],
  ['1', [1, 2, 3]],
])('plays the first inputs, and all in pnpm thorough (%s)', async (asked, played) => {
  vi.stubEnv('ART_THOROUGH', asked);
  vi.resetModules();
  const own = await import('./thorough.ts');
  vi.unstubAllEnvs();
  expect(own.shortlist([1, 2, 3], 2)).toEqual(played);
});

it.each([0, 3, Number.NaN])('leaves neither nothing nor all to npm test (%d of 3)', (count) => {
  expect(() => shortlist([1, 2, 3], count)).toThrow('Expected 1 to 2 inputs for npm test');
});
