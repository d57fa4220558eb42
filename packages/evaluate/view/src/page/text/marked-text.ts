/** A piece of foreign text: as it is, or the name of a character that would show nothing or turn the line around. */
export type TextPiece = { text: string } | { mark: string; meaning: string };

// Controls, marks and overrides of direction, isolates, what takes no room, tags and selectors (but the one that makes a picture of the character
// before it), joiners beside Latin letters, and halves of pairs that stand alone. Line breaks and tabs are none.
const hidden = new RegExp(
  [
    String.raw`[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e]`,
    String.raw`[\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[\0-\u024f])[\u200c\u200d]|[\u200c\u200d](?=[\0-\u024f])`,
    String.raw`\p{Surrogate}`,
  ].join('|'),
  'gu',
);

const meanings: Record<string, string> = {
  '\u0000': 'null',
  '\u000d': 'carriage return',
  '\u001b': 'escape',
  '\u00ad': 'soft hyphen',
  '\u034f': 'combining grapheme joiner',
  '\u061c': 'Arabic letter mark',
  '\u115f': 'Hangul filler',
  '\u1160': 'Hangul filler',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u2060': 'word joiner',
  '\u3164': 'Hangul filler',
  '\uffa0': 'Hangul filler',
  '\u200b': 'zero-width space',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\ufeff': 'byte order mark',
};

/** Takes foreign text apart, so that every character of it can be seen and none acts on its surroundings. */
export function markedText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  const lines = text.replaceAll('\r\n', '\n');
  let from = 0;
  for (const { 0: character, index } of lines.matchAll(hidden)) {
    if (index > from) pieces.push({ text: lines.slice(from, index) });
    pieces.push({ mark: markOf(character), meaning: meaningOf(character) });
    from = index + character.length;
  }
  const rest = lines.slice(from);
  if (rest !== '' || pieces.length === 0) pieces.push({ text: rest });
  return pieces;
}

/** The same for one line: breaks too are marks. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s*[\r\n]+\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
    .replaceAll(hidden, (character) => `[${markOf(character)}]`);
}

function markOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function meaningOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a character; the text is not well-formed';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation selector';
  if (code >= 0xe0020 && code <= 0xe007e) return `tag of ${String.fromCodePoint(code - 0xe0000)}`;
  if (code >= 0xe0000) return 'tag';
  const known = meanings[character];
  if (known !== undefined) return known;
  return code < 0xa0 ? 'control character' : 'character that is not seen';
}
