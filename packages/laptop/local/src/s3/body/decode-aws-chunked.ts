import { s3Error, type S3Error } from '../wire/s3-error.ts';

/** Longest line between chunks: a size with its signature, or one trailer. */
const maxLineBytes = 8_192;
const maxTrailers = 32;
const lineFeed = 0x0a;

/**
 * Takes the `aws-chunked` content encoding off a body: `size[;chunk-signature=...]CRLF data CRLF ... 0 CRLF trailers CRLF`
 * (S3 API reference, "Signature calculations for the authorization header: transferring payload in multiple chunks").
 * Signatures are not checked. Bytes are passed on as slices, never gathered.
 * @param trailers gets what follows the data, by lower-case name; complete when the generator has ended
 * @throws S3Error IncompleteBody for a body that breaks off or is not framed like this, MalformedTrailerError
 */
export async function* decodeAwsChunked(
  body: AsyncIterable<Uint8Array>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = new ChunkReader(body);
  try {
    for (let left = sizeOf(await reader.line()); left > 0; left = sizeOf(await reader.line())) {
      while (left > 0) {
        const part = await reader.bytes(left);
        left -= part.length;
        yield part;
      }
      if ((await reader.line()) !== '') throw broken('a chunk is longer than its size says');
    }
    for (let line = await reader.line(); line !== ''; line = await reader.line()) {
      const colon = line.indexOf(':');
      if (colon < 1 || trailers.size === maxTrailers) {
        const message = `Expected "name:value" as a trailer, got ${JSON.stringify(line.slice(0, 80))}.`;
        throw s3Error('MalformedTrailerError', { message });
      }
      trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    }
    if (await reader.fill()) throw broken('bytes follow its last chunk');
  } finally {
    await reader.close();
  }
}

function sizeOf(line: string): number {
  const size = /^([0-9a-fA-F]{1,12})(?:;.*)?$/.exec(line)?.[1];
  if (size !== undefined) return Number.parseInt(size, 16);
  throw broken(`expected the size of a chunk, got ${JSON.stringify(line.slice(0, 80))}`);
}

/** Reads lines and bytes out of a stream that is cut anywhere. */
class ChunkReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** True if there are bytes to read. */
  async fill(): Promise<boolean> {
    while (this.#left.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      this.#left = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  }

  /** At least one byte, at most so many. */
  async bytes(atMost: number): Promise<Buffer> {
    if (!(await this.fill())) throw broken('it ends before its last chunk');
    const part = this.#left.subarray(0, atMost);
    this.#left = this.#left.subarray(part.length);
    return part;
  }

  /** Up to the next line feed, which is dropped with the carriage return before it. */
  async line(): Promise<string> {
    let line = '';
    for (let isWhole = false; !isWhole;) {
      if (!(await this.fill())) throw broken('it ends before its last chunk');
      const end = this.#left.indexOf(lineFeed);
      isWhole = end !== -1;
      const part = await this.bytes(isWhole ? end + 1 : this.#left.length);
      if (line.length + part.length > maxLineBytes)
        throw broken(`a line has more than ${maxLineBytes} bytes`);
      line += part.toString('latin1');
    }
    return line.replace(/\r?\n$/, '');
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

function broken(why: string): S3Error {
  return s3Error('IncompleteBody', { message: `The aws-chunked body is not complete: ${why}.` });
}
