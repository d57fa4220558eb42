/** Where the object or list that starts at `start` ends, judged by brackets outside of strings; undefined where it does not. */
export function endOfJson(text: string, start: number): number | undefined {
  if (text[start] !== '{' && text[start] !== '[') return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
