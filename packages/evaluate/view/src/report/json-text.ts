/** More levels than anybody reads, and fewer than any writer of JSON gets through. */
const mostLevels = 200;

/** A value of JSON without what lies deeper than anybody reads, so that it can be written: itself, where nothing does. */
export function withoutDepths(value: unknown, levels = mostLevels): unknown {
  return isDeeper(value, levels) ? cut(value, levels) : value;
}

/** JSON on one line, of values of any depth. */
export function jsonLine(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // What a writer throws whose stack is full.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(withoutDepths(value));
  }
}

/** JSON with indents, to be read; an empty text of nothing. */
export function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(withoutDepths(value), undefined, 2);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(member, levels - 1)) return true;
  return false;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '… (nested too deep to be shown)';
  if (Array.isArray(value)) return value.map((member) => cut(member, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, levels - 1)]));
}
