import type { Paint, PaintStyle } from './paint.ts';

// Red is left to errors, grey to what is not a session's.
const styles: readonly PaintStyle[] = [
  'cyan',
  'green',
  'yellow',
  'magenta',
  'blue',
  'cyanBright',
  'greenBright',
  'magentaBright',
];

const shownCharacters = 8;

/** `[a856c62e]` in a colour that stays with the session. Random ids differ in their first eight characters. */
export function sessionPrefix(sessionId: string, paint: Paint): string {
  let hash = 0;
  for (const character of sessionId) hash = (hash * 31 + character.codePointAt(0)!) % 65_521;
  return paint(styles[hash % styles.length]!, `[${sessionId.slice(0, shownCharacters)}]`);
}
