import { open, type FileHandle } from 'node:fs/promises';

/** Most files that are kept open: less than what a process may have by default, 256 on macOS. */
const mostOpen = 128;

/** When a write is done; see `DiskCaptureStoreOptions`. */
export type Durability = 'process' | 'disk';

/** Keeps the files open that were used last, as a session's next turn is written soon. */
export class OpenFiles {
  readonly durability: Durability;
  /** Idle files, in the order of use. */
  readonly #idle = new Map<string, FileHandle>();

  constructor(durability: Durability) {
    this.durability = durability;
  }

  /** Works with a file, which one at a time may do. @param flags for a file that is not open */
  async use<Result>(
    path: string,
    flags: 'w' | 'r+',
    work: (file: FileHandle) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#idle.get(path);
    this.#idle.delete(path);
    const file = known ?? (await open(path, flags, 0o600));
    try {
      return await work(file);
    } finally {
      this.#idle.set(path, file);
      await this.#closeUntil(mostOpen);
    }
  }

  /** Lets go of a file that nobody is using. */
  async close(path: string): Promise<void> {
    const file = this.#idle.get(path);
    this.#idle.delete(path);
    await file?.close();
  }

  async closeAll(): Promise<void> {
    await this.#closeUntil(0);
  }

  async #closeUntil(count: number): Promise<void> {
    for (const path of this.#idle.keys()) {
      if (this.#idle.size <= count) break;
      await this.close(path);
    }
  }
}
