/** A body that is here in full, in the pieces in which it came. */
export class WholeBody {
  readonly byteLength: number;
  readonly #chunks: readonly Uint8Array[];
  #bytes: Buffer | undefined;

  constructor(chunks: readonly Uint8Array[]) {
    const [first = Buffer.alloc(0)] = chunks;
    this.#chunks = chunks;
    this.byteLength = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    if (chunks.length <= 1) this.#bytes = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  }

  /** In one piece. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.concat(this.#chunks, this.byteLength);
    return this.#bytes;
  }
}
