import { expect, it } from 'vitest';
import { evaluateExpression, ExpressionError } from './evaluate-expression.ts';

it.each<[string, number]>([
  ['2 + 3 * 4', 14],
  ['(2 + 3) * 4', 20],
  ['16 - 3 - 4', 9],
  ['24 / 4 / 2', 3],
  ['2 ^ 3 ^ 2', 512],
  ['2 ** 10', 1024],
  ['-2 ^ 2', -4],
  ['2 ^ -1', 0.5],
  ['-(3 - 5)', 2],
  ['--4', 4],
  ['3 - -4', 7],
  ['0.1 + 0.2', 0.3],
  ['.5 * 4', 2],
  ['1,234,567 + 1', 1234568],
  ['$1,000 / $4', 250],
  ['6 × 7', 42],
  ['84 ÷ 2', 42],
  ['10 − 4', 6],
  [' 7 ', 7],
])('%s is %d', (expression, value) => {
  expect(evaluateExpression(expression)).toBe(value);
});

it.each<[string, string]>([
  ['', 'empty'],
  ['   ', 'empty'],
  ['2 +', 'got the end of the expression'],
  ['2 3', 'end before "3"'],
  ['(2', 'closing parenthesis'],
  ['2)', 'end before ")"'],
  ['1 / 0', 'Division by zero'],
  ['1 / (2 - 2)', 'Division by zero'],
  ['process.exit()', 'Cannot read "process.exit()"'],
  ['2 * x', 'Cannot read "x"'],
  ['1,00', 'Cannot read ",00"'],
  ['10 ^ 999', 'not a finite number'],
  ['(0 - 8) ^ 0.5', 'not a finite number'],
  ['* 3', 'got "*"'],
  ['('.repeat(500), 'levels of nesting'],
  ['-'.repeat(500), 'levels of nesting'],
  ['1+'.repeat(1000), 'at most 1000 characters'],
])('refuses %j', (expression, message) => {
  expect(() => evaluateExpression(expression)).toThrow(ExpressionError);
  expect(() => evaluateExpression(expression)).toThrow(message);
});
