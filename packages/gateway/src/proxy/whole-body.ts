// Longer ones are rare, and their memory is not to be kept.
const mostSharedBytes = 4_194_304;
let shared = Buffer.allocUnsafeSlow(0);

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

  /**
   * Shows it in one piece, in memory that the next one is shown in as well: joining a long body for a moment's reading, again
   * for each call, keeps the collector busier than the reading itself. Nothing of what is shown may be kept.
   */
  show<T>(read: (bytes: Buffer) => T): T {
    if (this.#bytes !== undefined || this.byteLength > mostSharedBytes) return read(this.bytes);
    if (shared.byteLength < this.byteLength) shared = Buffer.allocUnsafeSlow(this.byteLength);
    let at = 0;
    for (const chunk of this.#chunks) {
      shared.set(chunk, at);
      at += chunk.byteLength;
    }
    return read(shared.subarray(0, at));
  }
}
