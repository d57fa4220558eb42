import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { isNotThere } from './file-identity.ts';

/** A file without a write for this long belongs to a process that is gone. */
const staleAfterMs = 60 * 60_000;

export interface UploadFile {
  path: string;
  handle: FileHandle;
}

/** The directory of uploads that are not complete; on the file system of the objects, so that they can be moved there. */
export class UploadFiles {
  readonly #directory: string;
  readonly #now: () => number;
  #ready: Promise<void> | undefined;

  constructor(directory: string, now: () => number) {
    this.#directory = directory;
    this.#now = now;
  }

  async create(): Promise<UploadFile> {
    await (this.#ready ??= this.#prepare());
    const path = join(this.#directory, `${process.pid}-${randomUUID()}`);
    return { path, handle: await open(path, 'wx') };
  }

  async #prepare(): Promise<void> {
    try {
      await mkdir(this.#directory, { recursive: true });
      for (const name of await readdir(this.#directory)) await this.#removeStale(join(this.#directory, name));
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #removeStale(path: string): Promise<void> {
    try {
      if (this.#now() - (await stat(path)).mtimeMs > staleAfterMs) await rm(path, { force: true });
    } catch (error) {
      if (!isNotThere(error)) throw error;
    }
  }
}
