import { randomBytes } from 'node:crypto';
import { open, stat, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';
import { diskFailure } from './disk-failure.ts';

const chunkBytes = 1_048_576;
// Not synchronously: this takes milliseconds.
const makeRandomBytes = promisify(randomBytes);

/** A file that takes up space, to give it back when the disk is full and something must be written all the same. */
export class Reserve {
  readonly #path: string;
  readonly #blockBytes: number;
  #bytes: number;

  private constructor(path: string, bytes: number, blockBytes: number) {
    this.#path = path;
    this.#bytes = bytes;
    this.#blockBytes = blockBytes;
  }

  /** Takes over the file that an earlier process left, or has none yet. @throws ArtError `ART_GATEWAY_STORE_FAILED` */
  static async open(path: string): Promise<Reserve> {
    try {
      const { size, blksize } = await stat(path);
      return new Reserve(path, size, Math.max(blksize, 4_096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Reserve(path, 0, 4_096);
      throw diskFailure(path, error);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes up so much in all. What could be had is kept where that is less.
   * @throws ArtError `ART_GATEWAY_STORE_FULL`, `ART_GATEWAY_STORE_FAILED`
   */
  async grow(bytes: number): Promise<void> {
    if (this.#bytes >= bytes) return;
    try {
      await using file = await open(this.#path, 'a', 0o600);
      while (this.#bytes < bytes) {
        // Random, as file systems that compress would keep nothing free for zeros.
        const chunk = await makeRandomBytes(Math.min(chunkBytes, bytes - this.#bytes));
        const { bytesWritten } = await file.write(chunk);
        this.#bytes += bytesWritten;
      }
    } catch (error) {
      throw diskFailure(this.#path, error);
    }
  }

  /**
   * Gives back at least so many bytes, as far as `keepBytes` are left; whether anything could be given.
   * @throws ArtError `ART_GATEWAY_STORE_FAILED`
   */
  async release(bytes: number, keepBytes: number): Promise<boolean> {
    const blocks = Math.ceil(bytes / this.#blockBytes) * this.#blockBytes;
    const left = Math.max(keepBytes, this.#bytes - blocks);
    if (left >= this.#bytes) return false;
    try {
      await truncate(this.#path, left);
    } catch (error) {
      throw diskFailure(this.#path, error);
    }
    this.#bytes = left;
    return true;
  }
}
