import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '@art/store';
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
    await makeDirectory(folder);
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
