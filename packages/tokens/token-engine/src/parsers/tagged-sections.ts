/** A text with its tagged sections taken out. */
export interface TaggedSections {
  /** Text around the sections, trimmed where one was. */
  outside: string;
  /** Content of the sections, in order. */
  inside: readonly string[];
  /** True if the last section has its close. */
  isClosed: boolean;
}

/** Where what stands in a section from `from` on ends by its own syntax at the earliest: a close before that belongs to a value. */
export type EndOfInside = (text: string, from: number) => number;

/**
 * Cuts out everything between `open` and `close`. The last section may lack its close, as models that stop at it leave
 * it out; a close without an open makes the text malformed.
 */
export function cutTaggedSections(
  text: string,
  open: string,
  close: string,
  endOfInside: EndOfInside = (_, from) => from,
): TaggedSections | undefined {
  const inside: string[] = [];
  const outside: string[] = [];
  let at = 0;
  let isClosed = true;
  for (;;) {
    const start = text.indexOf(open, at);
    const around = text.slice(at, start < 0 ? undefined : start);
    if (around.includes(close)) return undefined;
    outside.push(around);
    if (start < 0) break;
    const from = start + open.length;
    const end = text.indexOf(close, endOfInside(text, from));
    inside.push(text.slice(from, end < 0 ? undefined : end));
    isClosed = end >= 0;
    if (end < 0) break;
    at = end + close.length;
  }
  return { outside: joinOutside(outside), inside, isClosed };
}

/** The texts around calls as one: what the model said. */
export function joinOutside(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0] ?? '';
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
}
