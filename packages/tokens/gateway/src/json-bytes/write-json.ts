/**
 * Writes an object whose values are JSON text already; members without a value are left out, and of members with the same
 * name the last value counts.
 */
export function writeObject(members: Iterable<readonly [name: string, text: string | undefined]>): string {
  const written = new Map<string, string>();
  for (const [name, text] of members) {
    if (text !== undefined) written.set(name, text);
  }
  return `{${Array.from(written, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Writes an array whose elements are JSON text already. */
export function writeArray(elements: readonly string[]): string {
  return `[${elements.join(',')}]`;
}

/**
 * Joins JSON strings into one without decoding them, so that escapes stay as they were written. Empty ones are left out.
 * @param literals with their quotes
 */
export function joinStrings(literals: readonly string[], separator: string): string {
  const inner = JSON.stringify(separator).slice(1, -1);
  return `"${literals
    .map((literal) => literal.slice(1, -1))
    .filter((text) => text !== '')
    .join(inner)}"`;
}
