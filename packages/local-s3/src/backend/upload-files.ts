import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { makeDirectory } from '@art/store';

import { errorCodeOf, isNotThere } from './file-identity.ts';

/** A file without a write for this long belongs to a process that is gone, on whatever machine it was. */
const staleAfterMs = 60 * 60_000;

/** An object may hold what nobody else on the machine should read. */
export const ownerOnly = 0o600;

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
    const path = this.newPath();
    return { path, handle: await open(path, 'wx', ownerOnly) };
  }

  /** For another file that is not complete, once there was an upload. Left behind, it is removed like one. */
  newPath(): string {
    return join(this.#directory, `${thisMachine()}_${process.pid}_${randomUUID()}`);
  }

  async #prepare(): Promise<void> {
    try {
      await makeDirectory(this.#directory);
      for (const name of await readdir(this.#directory)) await this.#removeStale(name);
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #removeStale(name: string): Promise<void> {
    const path = join(this.#directory, name);
    try {
      const isOld = async (): Promise<boolean> => this.#now() - (await stat(path)).mtimeMs > staleAfterMs;
      if (isOfDeadProcess(name) || (await isOld())) await rm(path, { force: true });
    } catch (error) {
      if (!isNotThere(error)) throw error;
    }
  }
}

/** The host's name as part of a file name: a folder may be shared, and a process id means something on one machine only. */
function thisMachine(): string {
  return hostname()
    .replaceAll(/[^a-zA-Z0-9.-]/g, '-')
    .slice(0, 100);
}

function isOfDeadProcess(name: string): boolean {
  const [machine, pid] = name.split('_');
  if (machine !== thisMachine() || !/^\d+$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM: it runs as somebody else.
    return errorCodeOf(error) === 'ESRCH';
  }
}
