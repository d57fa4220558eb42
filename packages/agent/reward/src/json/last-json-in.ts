/** A hostile answer must not cost a parse for each of its brackets. */
const mostTries = 50;

/** The whole text as JSON, else that of its last fenced block, else the last object or list in it; undefined where there is none. */
export function lastJsonIn(text: string): unknown {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const fenced = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/gi)].at(-1)?.[1];
  const inFence = fenced === undefined ? undefined : parsed(fenced);
  if (inFence !== undefined) return inFence;
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const end = text.lastIndexOf(close);
    let found: unknown;
    let start = end;
    // The longest value that ends there: an object in an object is not the answer.
    for (let tries = 0; tries < mostTries; tries += 1) {
      start = start <= 0 ? -1 : text.lastIndexOf(open, start - 1);
      if (start === -1) break;
      found = parsed(text.slice(start, end + 1)) ?? found;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown;
  } catch {
    return undefined;
  }
}
