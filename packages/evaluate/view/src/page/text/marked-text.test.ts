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

it('a line stays a line', () => {
  expect(oneLine('a\n  b\u2066c\u0000')).toBe('a ⏎ b[U+2066]c[U+0000]');
});
