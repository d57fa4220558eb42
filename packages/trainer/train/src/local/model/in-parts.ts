// Of one pass. Bounds its memory, and how long everything else in this process waits for it: gateway, agents' health, sampling.
const mostTokens = 512;

/** Cuts what a policy has to read into passes. One that is longer than a pass may be is its own pass. */
export function* inParts<T>(
  items: readonly T[],
  tokensOf: (item: T) => number,
): Generator<T[], void, undefined> {
  let part: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const own = tokensOf(item);
    if (part.length > 0 && tokens + own > mostTokens) {
      yield part;
      part = [];
      tokens = 0;
    }
    part.push(item);
    tokens += own;
  }
  if (part.length > 0) yield part;
}
