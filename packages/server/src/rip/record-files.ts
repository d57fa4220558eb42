import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { freshId } from '../request/fresh-id.ts';

/** The file operations of records; a test can let them fail. */
export interface RecordFiles {
  /** Undefined where there is no such file. */
  read: (path: string) => Promise<Buffer | undefined>;
  /** Writes a whole file or nothing; once it resolves, the bytes are on the disk. Makes the folders that are missing. */
  write: (path: string, text: string) => Promise<void>;
}

export const recordFiles: RecordFiles = {
  read: async (path) => {
    try {
      return await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  write: async (path, text) => {
    const folder = dirname(path);
    await makeFolder(folder);
    // In the same folder, so that the rename stays on one file system.
    const temporary = join(folder, `.${basename(path)}.${freshId()}`);
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  },
};

/** Makes a folder and those above it that are missing. */
export async function makeFolder(path: string): Promise<void> {
  // Not by mkdir's own `recursive`: below a place where nothing can be made, such as /proc, Node 24.21 tries without end.
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
