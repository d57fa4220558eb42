/** Colours and other ways to show the letters that follow; every other escape sequence can move, hide or rewrite text. */
const style = String.raw`\u001b\[[\d;:]*m`;
/**
 * All control characters but line break and tab, what some terminals break a line at, and what changes the direction of text:
 * marks, embeddings, overrides and isolates. Source: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
const unprintable = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]`;
const pattern = new RegExp(`${style}|(${unprintable})`, 'g');

/**
 * A text that others wrote, for a terminal: what could rewrite the lines above it, or make it read as something else, is shown
 * as an escape, `\r` or `\u202e`. Colours stay. JSON stays the same JSON.
 */
export function printableText(text: string): string {
  return text.replaceAll(pattern, (found, control: string | undefined) => {
    if (control === undefined) return found;
    return control === '\r' ? String.raw`\r` : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
