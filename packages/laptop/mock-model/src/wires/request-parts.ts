/** A request that an API would answer with 400. */
export class MockRequestError extends Error {
  override readonly name = 'WireRequestError';
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The members of a list that are objects; empty where it is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

/** The text of a content, which all three APIs take as a text or as a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return records(content)
    .map((part) => text(part['text']))
    .join('');
}

/** @throws MockRequestError when it is empty or no list */
export function filledList(body: Record<string, unknown>, member: string): Record<string, unknown>[] {
  const value = body[member];
  if (Array.isArray(value) && value.length > 0) return value.map(record);
  throw new MockRequestError(`Expected "${member}" to be a list of at least one item.`);
}
