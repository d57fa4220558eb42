import { expect, it } from 'vitest';
import { formatCost } from './format-figures.ts';

it('a cost keeps its cents, and a small one is not nothing', () => {
  expect([0, 1e-7, 0.0034, 0.5, 12.345, 1_234.5].map(formatCost)).toEqual([
    '0',
    '1.00e-7',
    '0.00340',
    '0.500',
    '12.35',
    '1234.50',
  ]);
});
