import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { freshId, makeDirectory, syncDirectory } from '@art/ground';
import { errnoOf } from './file-failure.ts';
import { removeStaleFiles } from './stale-files.ts';

/** A result may hold what nobody else on the machine should read. */
const ownerOnly = 0o600;

/**
 * Replaces a file in one step: a reader sees the old text or the new one, and after a crash one of the two is there. Makes the
 * directories that are missing. Also removes what writers that were killed left behind in the directory of the file.
 * @param options `isDurable`: the text is on the disk before it takes the place of the old one @default true; `mode`: of the file
 *   @default 0o600, only its owner can read it
 */
export async function replaceFile(
  path: string,
  text: string,
  { isDurable = true, mode = ownerOnly }: { isDurable?: boolean; mode?: number } = {},
): Promise<void> {
  const directory = dirname(path);
  await sweepNowAndThen(directory, Date.now());
  // In the same directory, so that it is on the same file system.
  const file = await UnfinishedFile.create(join(directory, `.${basename(path)}.${freshId()}`), mode);
  try {
    await file.handle.writeFile(text);
    if (isDurable) await file.handle.datasync();
    await file.place(path);
  } finally {
    await file.discard();
  }
}

const unfinishedName = /^\..+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sweepEveryMs = 60 * 60_000;
const mostRemembered = 1_000;
/** When this process looked last through directories: some hold thousands of files, which not every write can look through. */
const sweptAtMs = new Map<string, number>();

async function sweepNowAndThen(directory: string, nowMs: number): Promise<void> {
  if (nowMs - (sweptAtMs.get(directory) ?? Number.NEGATIVE_INFINITY) < sweepEveryMs) return;
  if (sweptAtMs.size >= mostRemembered) sweptAtMs.clear();
  sweptAtMs.set(directory, nowMs);
  await removeStaleFiles(directory, nowMs, (name) => unfinishedName.test(name));
}

/** A file that has a name of nobody's concern until it is complete, and gets its own in one step. `discard` ends it, always. */
export class UnfinishedFile {
  readonly handle: FileHandle;
  readonly #path: string;
  #isLeft = true;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.handle = handle;
  }

  /** @param path where it is meanwhile: unused, on the file system of its later place */
  static async create(path: string, mode = ownerOnly): Promise<UnfinishedFile> {
    const handle = await orInNewDirectory(dirname(path), false, () => open(path, 'wx', mode));
    return new UnfinishedFile(path, handle);
  }

  /**
   * Gives it its name. `link` is what makes `exclusive` hold among processes: unlike `rename` it fails where the name is taken, and
   * unlike `open` with `wx` it publishes a file that is already complete.
   * @param options `sync`: waits until the name is on the disk
   * @returns `false` for `exclusive` where there is a file already
   */
  async place(
    path: string,
    { exclusive = false, sync = false }: { exclusive?: boolean; sync?: boolean } = {},
  ): Promise<boolean> {
    const name = exclusive ? link : rename;
    try {
      await orInNewDirectory(dirname(path), sync, () => name(this.#path, path));
    } catch (error) {
      if (exclusive && errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
    this.#isLeft = exclusive;
    if (sync) await syncDirectory(dirname(path));
    return true;
  }

  /** Closes it, and removes what has not got its place. Idempotent. */
  async discard(): Promise<void> {
    await this.handle.close();
    if (this.#isLeft) await rm(this.#path, { force: true });
    this.#isLeft = false;
  }
}

/** Creates the directory only when it turns out to be missing, which is once per input and not once per result. */
async function orInNewDirectory<T>(directory: string, sync: boolean, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    const outermost = await makeDirectory(directory);
    if (sync && outermost !== undefined) await syncParents(directory, outermost);
    return act();
  }
}

/** A new directory is on the disk once its parent is; `outermost` is the first one that had to be made. */
async function syncParents(directory: string, outermost: string): Promise<void> {
  for (let made = directory; made.length >= outermost.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}
