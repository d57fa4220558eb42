/** A piece of foreign text: as it is, or the name of a character that would show nothing or turn the line around. */
export type TextPiece = { text: string } | { mark: string; meaning: string };

// Controls, marks and overrides of direction, isolates, and halves of pairs that stand alone. Line breaks and tabs are none.
const hidden =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const meanings: Record<string, string> = {
  '\u0000': 'null',
  '\u000d': 'carriage return',
  '\u001b': 'escape',
  '\u061c': 'Arabic letter mark',
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
    from = index + 1;
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
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function meaningOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a character; the text is not well-formed';
  return meanings[character] ?? 'control character';
}
