import type { TextBytes } from '../../capture/new-trace.ts';

/** Whether the bytes from `start` to `end` are a text in UTF-8. */
export function isEqualText(bytes: Buffer, start: number, end: number, text: TextBytes): boolean {
  const length = end - start;
  if (typeof text !== 'string')
    return text.byteLength === length && bytes.compare(text, 0, length, start, end) === 0;
  // UTF-16 units: a text has at least as many bytes as units, and at most three for each.
  if (text.length > length || text.length * 3 < length || Buffer.byteLength(text) !== length) return false;
  return bytes.compare(Buffer.from(text), 0, length, start, end) === 0;
}
