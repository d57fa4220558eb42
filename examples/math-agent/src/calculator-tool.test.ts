import { expect, it } from 'vitest';
import { runCalculator } from './calculator-tool.ts';

it.each([
  ['{"expression": "(16 - 3) * 2"}', '26'],
  ['{"expression": "10 / 4"}', '2.5'],
  ['{"expression": "1 / 0"}', 'Error: Division by zero.'],
  ['{"expression": 5}', 'Error: expected {"expression": "..."}.'],
  ['{}', 'Error: expected {"expression": "..."}.'],
  ['null', 'Error: expected {"expression": "..."}.'],
  ['{"expression": "1', 'Error: the arguments are not JSON.'],
])('answers %s with %s', (args, answer) => {
  expect(runCalculator(args)).toBe(answer);
});
