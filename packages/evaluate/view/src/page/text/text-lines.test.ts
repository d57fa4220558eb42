import { expect, it } from 'vitest';
import { textLines } from './text-lines.ts';

function all(text: string, columns: number): string[] {
  const lines = textLines(text, columns);
  return Array.from({ length: lines.count }, (_, at) => lines.line(at).text);
}

it.each([
  ['', ['']],
  ['a\nb\n', ['a', 'b', '']],
  ['\n\n', ['', '', '']],
  ['abcdefgh\nij', ['abcd', 'efgh', 'ij']],
  ['abcde', ['abcd', 'e']],
  ['日本語', ['日本', '語']],
])('%j in four columns', (text, expected) => {
  expect(all(text, 4)).toEqual(expected);
});

it('no cut goes through a character, and nothing is lost', () => {
  const text = `x${'😀'.repeat(101)}\ud83d${'é'.repeat(10)}`;
  for (const columns of [2, 3, 7, 20]) {
    const lines = all(text, columns);
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(/^[\udc00-\udfff]/.test(line)).toBe(false);
  }
});

it('numbers the lines of the text, and says which pieces go on', () => {
  const lines = textLines('abcdef\ng', 4);
  expect([0, 1, 2].map((at) => lines.line(at))).toEqual([
    { text: 'abcd', number: 1, isContinued: false },
    { text: 'ef', number: 1, isContinued: true },
    { text: 'g', number: 2, isContinued: false },
  ]);
});

it.each(['one two three\nfour\n\n日本語日本語日本語\nlast', 'x'.repeat(500)])(
  'tells for each character the line that shows it',
  (text) => {
    const lines = textLines(text, 7);
    for (let offset = 0; offset < text.length; offset += 1) {
      const at = lines.lineOf(offset);
      expect(at).toBeLessThan(lines.count);
      if (text[offset] !== '\n') expect(lines.line(at).text).toContain(text[offset]);
    }
    expect(lines.lineOf(0)).toBe(0);
    expect(lines.lineOf(text.length - 1)).toBe(lines.count - 1);
  },
);
