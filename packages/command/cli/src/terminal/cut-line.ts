/** A text in one line, cut where it is longer. */
export function cutLine(text: string, most = 60): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
