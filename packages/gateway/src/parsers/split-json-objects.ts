/** Objects that follow each other, parted by blanks, commas or semicolons; undefined where something else is between. */
export function splitJsonObjects(text: string): string[] | undefined {
  const objects: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && /[\s;,]/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) return objects;
    const end = endOfObject(text, at);
    if (end === undefined) return undefined;
    objects.push(text.slice(at, end));
    at = end;
  }
}

/** Where the object ends that starts at `start`, judged by braces outside of strings; undefined where it does not. */
export function endOfObject(text: string, start: number): number | undefined {
  if (text[start] !== '{') return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
