import { expect, it } from 'vitest';
import { formatPercent } from './format.ts';

it('some are neither none nor all', () => {
  const shares = [0, 1e-6, 0.0004, 0.034, 0.5, 0.996, 0.9996, 1 - 1e-9, 1];
  expect(shares.map(formatPercent)).toEqual(
    ['0', '< 0.1', '< 0.1', '3.4', '50', '99.6', '> 99.9', '> 99.9', '100'].map((text) => `${text} %`),
  );
});
