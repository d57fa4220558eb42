/** Collects pieces of other buffers; what lies side by side in one of them stays one piece. */
export class ByteOutput {
  readonly #parts: Buffer[] = [];
  #bytes: Buffer | undefined;
  #start = 0;
  #end = 0;

  add(bytes: Buffer, start = 0, end: number = bytes.length): void {
    if (start === end) return;
    if (this.#bytes === bytes && this.#end === start) {
      this.#end = end;
      return;
    }
    this.#flush();
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** All of it; not a copy where it is a run of one buffer. */
  take(): Buffer {
    this.#flush();
    const [only] = this.#parts;
    const all = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts.length = 0;
    return all;
  }

  #flush(): void {
    if (this.#bytes === undefined) return;
    const isWhole = this.#start === 0 && this.#end === this.#bytes.length;
    this.#parts.push(isWhole ? this.#bytes : this.#bytes.subarray(this.#start, this.#end));
    this.#bytes = undefined;
  }
}
