import { describe, expect, it } from 'vitest';
import { readTextLines, type TextLine } from './read-text-lines.ts';

async function linesOf(...pieces: (string | Buffer)[]): Promise<TextLine[]> {
  return Array.fromAsync(readTextLines(pieces, 'x.jsonl'));
}

const texts = (lines: readonly TextLine[]): string[] => lines.map(({ text }) => text);

describe('readTextLines', () => {
  it('ends a line at \\n, with or without \\r, and nowhere else', async () => {
    const inside = 'a\u2028b\u2029c\u0085d\u000be\u000cf\rg';
    expect(texts(await linesOf(Buffer.from(`${inside}\r\n${inside}\nlast`)))).toEqual([
      inside,
      inside,
      'last',
    ]);
  });

  it('reads the same lines however the bytes are cut', async () => {
    const bytes = Buffer.from('\uFEFF{"a":"ä"}\n\n{"b":"\u{1f600}\u2028"}\r\nrest');
    const whole = texts(await linesOf(bytes));
    expect(whole).toEqual(['{"a":"ä"}', '', '{"b":"\u{1f600}\u2028"}', 'rest']);
    for (let at = 1; at < bytes.length; at += 1)
      expect(texts(await linesOf(bytes.subarray(0, at), bytes.subarray(at)))).toEqual(whole);
  });

  it('numbers lines from 1, and says whether the last one was ended', async () => {
    expect(await linesOf('a\nb')).toEqual([
      { text: 'a', number: 1, isEnded: true },
      { text: 'b', number: 2, isEnded: false },
    ]);
    expect((await linesOf('a\nb\n')).at(-1)).toEqual({ text: 'b', number: 2, isEnded: true });
    expect(await linesOf('')).toEqual([]);
  });

  it.each([
    ['Latin-1', [Buffer.from('one\ntwo\nsch\xf6n\nfour', 'latin1')], /line 3 of x\.jsonl/],
    ['Latin-1 in a later piece', [Buffer.from('one\n'), Buffer.from('t\xf6\n', 'latin1')], /line 2 of/],
    ['a letter that is cut off', [Buffer.from('one\ntwo ä').subarray(0, 9)], /line 2 of/],
    ['UTF-16', [Buffer.from('\uFEFFone\n', 'utf16le')], /UTF-16 in x\.jsonl/],
  ])('refuses %s, and names the place and the remedy', async (_what, pieces, place) => {
    await expect(linesOf(...pieces)).rejects.toMatchObject({
      code: 'ART_TEXT_ENCODING',
      message: expect.stringMatching(place) as string,
    });
    await expect(linesOf(...pieces)).rejects.toThrow(/iconv/);
  });
});
