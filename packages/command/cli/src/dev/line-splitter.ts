import { StringDecoder } from 'node:string_decoder';

// A line that never ends must not fill the memory.
const longestLine = 64 * 1_024;

/** Cuts what arrives in pieces into lines; characters that are split between two pieces stay whole. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** The lines that a piece completes. */
  push(piece: Uint8Array): string[] {
    this.#rest += this.#decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    const lines = this.#rest.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    this.#rest = lines.pop()!;
    while (this.#rest.length > longestLine) {
      lines.push(this.#rest.slice(0, longestLine));
      this.#rest = this.#rest.slice(longestLine);
    }
    return lines;
  }

  /** Gives the beginning of an unfinished line as a line; none when there is nothing. */
  flush(): string[] {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? [] : [rest];
  }
}
