import { expect, it } from 'vitest';
import { markedText, oneLine } from './marked-text.ts';

it('shows what would not be seen, and leaves the rest as it is', () => {
  expect(markedText('a\u202eb\r\nc\t<b>')).toEqual([
    { text: 'a' },
    { mark: 'U+202E', meaning: 'right-to-left override' },
    { text: 'b\nc\t<b>' },
  ]);
  expect(markedText('')).toEqual([{ text: '' }]);
});

it('halves of characters are marked, whole ones are not', () => {
  expect(
    markedText('\udc00\ud83d\ude00\ud83d').map((piece) => ('mark' in piece ? piece.mark : piece.text)),
  ).toEqual(['U+DC00', '😀', 'U+D83D']);
  expect(markedText('👩\u200d🚀 مرحبا')).toEqual([{ text: '👩\u200d🚀 مرحبا' }]);
});

it.each([
  ['tags', 'a\u{e0041}b', 'U+E0041', 'tag of A'],
  ['a soft hyphen', 'a\u00adb', 'U+00AD', 'soft hyphen'],
  ['a variation selector', 'a\ufe01b', 'U+FE01', 'variation selector'],
  ['one of the supplement', 'a\u{e0101}b', 'U+E0101', 'variation selector'],
  ['one that makes no picture', 'a\ufe0fb', 'U+FE0F', 'variation selector'],
  ['a grapheme joiner', 'a\u034fb', 'U+034F', 'combining grapheme joiner'],
  ['a joiner in a word', 'a\u200db', 'U+200D', 'zero-width joiner'],
  ['a filler', 'a\u3164b', 'U+3164', 'Hangul filler'],
  ['an invisible operator', 'a\u2062b', 'U+2062', 'character that is not seen'],
])('shows %s by name', (_, text, mark, meaning) => {
  expect(markedText(text)).toEqual([{ text: 'a' }, { mark, meaning }, { text: 'b' }]);
  expect(oneLine(text)).toBe(`a[${mark}]b`);
});

it('leaves what makes a picture or a letter of what stands around it', () => {
  for (const text of ['❤\ufe0f', '👩\u200d🚀', 'می\u200cخواهم', 'क्\u200dष'])
    expect(markedText(text)).toEqual([{ text }]);
});

it('a line stays a line', () => {
  expect(oneLine('a\n  b\u2066c\u0000')).toBe('a ⏎ b[U+2066]c[U+0000]');
});
