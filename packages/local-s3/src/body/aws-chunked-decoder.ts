import { S3Error } from '../wire/s3-error.ts';

/** Longest line between chunks: a size with its signature, or one trailer. */
const maxLineBytes = 8_192;
const maxTrailers = 32;
const lineFeed = 0x0a;

type State =
  | { kind: 'size' }
  | { kind: 'data'; left: number }
  | { kind: 'data-end' }
  | { kind: 'trailers' }
  | { kind: 'end' };

/**
 * Takes the `aws-chunked` content encoding off a body: `size[;chunk-signature=...]CRLF data CRLF ... 0 CRLF trailers CRLF`
 * (S3 API reference, "Signature calculations for the authorization header: transferring payload in multiple chunks").
 * Signatures are not checked. Bytes are passed on as slices, never gathered.
 */
export class AwsChunkedDecoder {
  /** By lower-case name; complete once the body is decoded. */
  readonly trailers = new Map<string, string>();
  #state: State = { kind: 'size' };
  #line = '';

  /**
   * @throws S3Error IncompleteBody for a body that breaks off or is not framed like this, MalformedTrailerError
   */
  async *decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      yield* this.#take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
    if (this.#state.kind !== 'end') throw broken('it ends before its last chunk');
  }

  *#take(chunk: Buffer): Generator<Buffer> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state.kind === 'data') {
        const part = chunk.subarray(at, at + this.#state.left);
        at += part.length;
        const left = this.#state.left - part.length;
        this.#state = left === 0 ? { kind: 'data-end' } : { kind: 'data', left };
        yield part;
        continue;
      }
      if (this.#state.kind === 'end') throw broken('bytes follow its last chunk');
      const lineEnd = chunk.indexOf(lineFeed, at);
      const stop = lineEnd === -1 ? chunk.length : lineEnd;
      if (this.#line.length + stop - at > maxLineBytes)
        throw broken(`a line has more than ${maxLineBytes} bytes`);
      this.#line += chunk.toString('latin1', at, stop);
      at = stop + 1;
      if (lineEnd === -1) return;
      const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
      this.#line = '';
      this.#state = this.#afterLine(this.#state.kind, line);
    }
  }

  #afterLine(kind: 'size' | 'data-end' | 'trailers', line: string): State {
    switch (kind) {
      case 'size': {
        const size = /^([0-9a-fA-F]{1,12})(?:;.*)?$/.exec(line)?.[1];
        if (size === undefined)
          throw broken(`expected the size of a chunk, got ${JSON.stringify(line.slice(0, 80))}`);
        const left = Number.parseInt(size, 16);
        return left === 0 ? { kind: 'trailers' } : { kind: 'data', left };
      }
      case 'data-end':
        if (line !== '') throw broken('a chunk is longer than its size says');
        return { kind: 'size' };
      case 'trailers': {
        if (line === '') return { kind: 'end' };
        const colon = line.indexOf(':');
        if (colon < 1 || this.trailers.size === maxTrailers) {
          throw new S3Error(
            400,
            'MalformedTrailerError',
            `Expected "name:value" as a trailer, got ${JSON.stringify(line.slice(0, 80))}.`,
          );
        }
        this.trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
        return { kind: 'trailers' };
      }
    }
  }
}

function broken(why: string): S3Error {
  return new S3Error(400, 'IncompleteBody', `The aws-chunked body is not complete: ${why}.`);
}
