import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import type { TextBytes } from '../../trace/trace.ts';
import type { StoredTexts } from './stored-trace.ts';

/** So much of a text's SHA-256 is kept to know it again. */
export const digestBytes = 16;

// Reading a session goes over the same blocks once for each of its traces.
const keptBlocks = 16;
const recent = new Map<FrozenTexts, Buffer>();

/** The texts of some traces, compressed together. */
export class FrozenTexts implements StoredTexts {
  readonly #compressed: Buffer;
  /** Where each text begins, in ascending order, and the digests in the same order. */
  readonly #starts: Int32Array;
  readonly #digests: Buffer;

  constructor(parts: { compressed: Buffer; starts: Int32Array; digests: Buffer }) {
    this.#compressed = parts.compressed;
    this.#starts = parts.starts;
    this.#digests = parts.digests;
  }

  read(): Buffer {
    const plain = recent.get(this) ?? zstdDecompressSync(this.#compressed);
    // Behind the others, as the one that was used last.
    recent.delete(this);
    recent.set(this, plain);
    for (const oldest of recent.keys()) {
      if (recent.size <= keptBlocks) break;
      recent.delete(oldest);
    }
    return plain;
  }

  isText(start: number, end: number, text: TextBytes): boolean {
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
    if (length !== end - start) return false;
    const index = indexOf(this.#starts, start);
    return digestOf(text).compare(this.#digests, index * digestBytes, (index + 1) * digestBytes) === 0;
  }
}

/** By which a text is known again; two texts with the same one are not to be found by anybody. */
export function digestOf(text: TextBytes): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, digestBytes);
}

// Empty texts begin where the next one begins. It does not matter which of them is found, as their lengths are compared.
function indexOf(starts: Int32Array, start: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
