import { createHash, createHmac } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 of Node, in the form that `@smithy/signature-v4` takes. */
export class NodeHash {
  readonly #secret: Data | undefined;
  #parts: Uint8Array[] = [];

  constructor(secret?: Data) {
    this.#secret = secret;
  }

  update(data: Data): void {
    this.#parts.push(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    const hash =
      this.#secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(this.#secret));
    for (const part of this.#parts) hash.update(part);
    return hash.digest();
  }

  reset(): void {
    this.#parts = [];
  }
}

function bytesOf(data: Data): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
