import type { TextBytes } from '../../trace/trace.ts';

/** Texts are encoded into it to be compared; kept, because a new one for each comparison would be most of the garbage. */
let scratch: Buffer | undefined;

/** Whether the bytes from `start` to `end` are a text in UTF-8. */
export function isEqualText(bytes: Buffer, start: number, end: number, text: TextBytes): boolean {
  const length = end - start;
  if (typeof text !== 'string')
    return text.byteLength === length && bytes.compare(text, 0, length, start, end) === 0;
  // UTF-16 units: a text has at least as many bytes as units, and at most three for each.
  if (text.length > length || text.length * 3 < length || Buffer.byteLength(text) !== length) return false;
  if (scratch === undefined || scratch.byteLength < length) scratch = Buffer.allocUnsafeSlow(length * 2);
  scratch.write(text, 0, length);
  return scratch.compare(bytes, start, end, 0, length) === 0;
}
