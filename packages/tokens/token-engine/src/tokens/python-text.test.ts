import { expect, it } from 'vitest';

import { formatDate } from './format-date.ts';
import { formatPythonFloat, formatPythonString, stripPython } from './python-text.ts';

// What `repr` prints in Python 3.
it.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [0.1, '0.1'],
  [1e-4, '0.0001'],
  [1e-5, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [123456789012345680, '1.2345678901234568e+17'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [-1234.5, '-1234.5'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [Number.POSITIVE_INFINITY, 'inf'],
  [Number.NaN, 'nan'],
])('%d is %s', (value, text) => {
  expect(formatPythonFloat(value)).toBe(text);
});

it('texts are quoted as Python quotes them', () => {
  expect(formatPythonString('a')).toBe("'a'");
  expect(formatPythonString("a'b")).toBe(`"a'b"`);
  expect(formatPythonString(`a'b"c`)).toBe(`'a\\'b"c'`);
  expect(formatPythonString('\\ \n \u0007 \u00a0é')).toBe(`'\\\\ \\n \\x07 \\xa0é'`);
});

it('strips a set of characters, or what Python takes for blanks', () => {
  expect(stripPython('\n a \n', 'both', '\n')).toBe(' a ');
  expect(stripPython('xyxaxy', 'left', 'xy')).toBe('axy');
  expect(stripPython('\u001c\u0085 a\ufeff \u3000', 'both')).toBe('a\ufeff');
  expect(stripPython('   ', 'both')).toBe('');
});

it('writes dates in English, whatever the machine speaks', () => {
  const date = new Date(2024, 2, 5, 15, 4, 9);
  expect(formatDate(date, '%d %b %Y')).toBe('05 Mar 2024');
  expect(formatDate(date, '%A, %B %-d, %y %I:%M:%S %p %j %% %q')).toBe(
    'Tuesday, March 5, 24 03:04:09 PM 065 % %q',
  );
});
