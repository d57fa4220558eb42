/** A letter at least, and no number, which may be written in several ways. */
const words = /[a-z0-9_]*[a-df-z_][a-z0-9_]*/g;
/** Escapes of ASCII letters, as some writers have them. */
const escaped = /\\u00[2-7]/i;

/**
 * True if a line of JSON may have a text in what it says, without reading it: the text's longest word stands in the line as it is, however
 * deep, as no writer of JSON changes letters and digits, but for escapes of them.
 */
export function mayHave(text: string): (line: string) => boolean {
  const found = text.toLowerCase().match(words) ?? [];
  const word = found.reduce((longest, other) => (other.length > longest.length ? other : longest), '');
  return (line) => word === '' || line.toLowerCase().includes(word) || escaped.test(line);
}
