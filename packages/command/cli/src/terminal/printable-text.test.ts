import { expect, it } from 'vitest';
import { printableText } from './printable-text.ts';

it.each([
  ['loaded\rhidden', 'loaded\\rhidden'],
  ['rm \u202etxt.a', 'rm \\u202etxt.a'],
  [
    '\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069',
    '\\u202a\\u202b\\u202c\\u202d\\u2066\\u2067\\u2068\\u2069',
  ],
  ['\u200e\u200f\u061c', '\\u200e\\u200f\\u061c'],
  ['a\u2028b\u2029c\u206a', 'a\\u2028b\\u2029c\\u206a'],
  ['\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
  ['\u009b2J\u0008\u007f', '\\u009b2J\\u0008\\u007f'],
])('shows what a terminal would act on: %j', (text, shown) => {
  expect(printableText(text)).toBe(shown);
});

it.each(['two\nlines\twith a tab', '\u001b[1;32mgreen\u001b[0m', 'עברית, 日本語, 👩‍🔬, café'])(
  'leaves %j',
  (text) => {
    expect(printableText(text)).toBe(text);
  },
);

it('leaves JSON the JSON that it is', () => {
  const value = { line: 'a\r\u202e\u009b\u001b[31mb"\\' };
  const text = printableText(JSON.stringify(value));
  expect(text).not.toMatch(/[\r\u202e\u009b\u001b]/);
  expect(JSON.parse(text)).toEqual(value);
});
