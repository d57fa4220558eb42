import { ArtError } from '@art/ground';

/** How deep arrays and objects may be nested. */
export const maxScanDepth = 512;

/** Bytes are not JSON. The `code` is `ART_JSON_PARSE`. */
export class JsonSyntaxError extends ArtError {
  /** Where in the bytes, from 0. */
  readonly offset: number;
  /** True if the text may be JSON that is nested deeper than is read here. */
  readonly tooDeep: boolean;

  constructor(offset: number, expected: string, got: string, tooDeep = false) {
    super({
      code: 'ART_JSON_PARSE',
      message: `Not JSON at byte ${offset}: expected ${expected}, got ${got}. Check what wrote it.`,
    });
    this.offset = offset;
    this.tooDeep = tooDeep;
  }
}

/** A byte as an error tells it; undefined is the end of the text. */
export function describeByte(byte: number | undefined): string {
  if (byte === undefined) return 'the end';
  return byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
}
