import { expect, it } from 'vitest';
import { canonicalDecimal } from './canonical-decimal.ts';

it.each([
  ['18', '18'],
  ['18.0', '18'],
  ['18.', '18'],
  ['18...', '18'],
  ['1.50.', '1.5'],
  ['1,000', '1000'],
  ['$1,234.50', '1234.5'],
  ['-$5', '-5'],
  ['$-5', '-5'],
  ['-3', '-3'],
  ['-0', '0'],
  ['-0.00', '0'],
  ['007', '7'],
  ['.5', '0.5'],
  ['0.5', '0.5'],
  [' 42\n', '42'],
  ['100', '100'],
  ['9007199254740993', '9007199254740993'],
])('%j is %j', (text, canonical) => {
  expect(canonicalDecimal(text)).toBe(canonical);
});

it.each(['', '-', '.', ',', '$', '1.2.3', '1-2', '5 6', '1e3', 'NaN', 'eight'])('%j is no number', (text) => {
  expect(canonicalDecimal(text)).toBeUndefined();
});
