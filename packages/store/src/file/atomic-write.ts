import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from './file-failure.ts';
import { makeDirectory } from './make-directory.ts';

/** A result may hold what nobody else on the machine should read. */
const ownerOnly = 0o600;

export interface AtomicWrite {
  path: string;
  body: string;
  /** Where the text is written before it appears at `path`; on the same file system. */
  temporaryDirectory: string;
  /** Fail with `exists` where there is a file already. */
  exclusive: boolean;
  /** Wait until the text and its name have reached the disk. */
  sync: boolean;
  signal: AbortSignal | undefined;
}

/**
 * Writes a file that appears at once and whole. `link` is what makes `exclusive` hold among processes: unlike `rename`
 * it fails where the name is taken, and unlike `open` with `wx` it publishes a file that is already complete.
 */
export async function atomicWrite(write: AtomicWrite): Promise<'written' | 'exists'> {
  const temporary = join(write.temporaryDirectory, `${process.pid}-${randomUUID()}`);
  let isLeft = true;
  try {
    await orInNewDirectory(write.temporaryDirectory, false, () => writeWhole(temporary, write));
    write.signal?.throwIfAborted();
    const directory = dirname(write.path);
    try {
      if (write.exclusive) {
        await orInNewDirectory(directory, write.sync, () => link(temporary, write.path));
      } else {
        await orInNewDirectory(directory, write.sync, () => rename(temporary, write.path));
        isLeft = false;
      }
    } catch (error) {
      if (write.exclusive && errnoOf(error) === 'EEXIST') return 'exists';
      throw error;
    }
    if (write.sync) await syncDirectory(directory);
    return 'written';
  } finally {
    if (isLeft) await rm(temporary, { force: true });
  }
}

async function writeWhole(path: string, write: AtomicWrite): Promise<void> {
  const file = await open(path, 'wx', ownerOnly);
  try {
    await file.writeFile(write.body, { signal: write.signal });
    if (write.sync) await file.datasync();
  } finally {
    await file.close();
  }
}

/** Creates the directory only when it turns out to be missing, which is once per input and not once per result. */
async function orInNewDirectory(directory: string, sync: boolean, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    const outermost = await makeDirectory(directory);
    if (sync && outermost !== undefined) await syncParents(directory, outermost);
    await act();
  }
}

/** A new directory is on the disk once its parent is; `outermost` is the first one that had to be made. */
async function syncParents(directory: string, outermost: string): Promise<void> {
  for (let made = directory; made.length >= outermost.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
