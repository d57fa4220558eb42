import { readFile } from 'node:fs/promises';
import { errnoOf, replaceFile } from '@art/store';

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
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  write: replaceFile,
};
