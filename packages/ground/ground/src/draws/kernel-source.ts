import { randomFillSync } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { ArtError } from '../errors/art-error.ts';

/**
 * Random bytes from the kernel, read at the call. A runtime that starts its sessions from one memory snapshot (platform version V2)
 * gives all of them the same generators in the process, those of `node:crypto` and `Math.random` included; only the kernel has fresh ones.
 */
export class KernelSource {
  readonly #device: string;
  readonly #platform: NodeJS.Platform;
  #descriptor: number | undefined;

  /** Opens nothing: that happens at the first read. */
  constructor(device = '/dev/urandom', platform: NodeJS.Platform = process.platform) {
    this.#device = device;
    this.#platform = platform;
  }

  /**
   * Fills the view. On Windows, which has no such device and where nothing is restored from a snapshot, `node:crypto` fills it.
   * @throws ArtError `ART_NO_RANDOM_DEVICE`
   */
  fill(view: Uint8Array): void {
    if (this.#platform === 'win32') {
      randomFillSync(view);
      return;
    }
    try {
      this.#read(view);
    } catch (error) {
      // Some programs close every descriptor that they do not know.
      const isClosed = this.#descriptor !== undefined && (error as NodeJS.ErrnoException).code === 'EBADF';
      this.#descriptor = undefined;
      if (!isClosed) throw this.#failure(error);
      this.#read(view);
    }
  }

  #read(view: Uint8Array): void {
    this.#descriptor ??= openSync(this.#device, 'r');
    for (let offset = 0; offset < view.length;) {
      const rest = offset === 0 ? view : view.subarray(offset);
      const read = readSync(this.#descriptor, rest);
      if (read === 0) throw new Error('the device ended');
      offset += read;
    }
  }

  #failure(cause: unknown): ArtError {
    return new ArtError({
      code: 'ART_NO_RANDOM_DEVICE',
      message: `Expected ${this.#device} to give random bytes, got: ${(cause as Error).message}. Mount the device in the container; ids that are not drawn from it can be equal in sessions that start from one snapshot.`,
      cause,
    });
  }
}
