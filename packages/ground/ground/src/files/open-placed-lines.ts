import { open } from 'node:fs/promises';
import type { LinePlace } from './json-lines-file.ts';

/** A file whose lines are read by their places. */
export interface PlacedLines extends AsyncDisposable {
  /**
   * The bytes of a line, without its break.
   * @throws Error where the file has none there
   */
  lineAt(place: LinePlace): Promise<Buffer>;
}

/** Opens a file of JSON lines for many looks at single lines. */
export async function openPlacedLines(path: string): Promise<PlacedLines> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    lineAt: async ({ atByte, bytes }) => {
      // The place comes from a file that somebody else may have written, and says how much memory is taken.
      const isInside =
        Number.isSafeInteger(atByte) && Number.isSafeInteger(bytes) && atByte >= 0 && bytes >= 0;
      if (!isInside || atByte + bytes > size) throw new Error(`the file has ${size} bytes`);
      const { buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, atByte);
      return buffer;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
