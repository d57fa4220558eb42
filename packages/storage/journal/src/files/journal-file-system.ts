import { open } from 'node:fs/promises';

/** An open file that is only added to. */
export interface AppendedFile {
  append(text: string): Promise<void>;
  sync(): Promise<void>;
  /** Shows that the writer lives, without writing. */
  touch(): Promise<void>;
  close(): Promise<void>;
}

/** The part of the file system that can fill up or fail; replaced in tests. */
export interface JournalFileSystem {
  openForAppend(path: string): Promise<AppendedFile>;
}

export const nodeFileSystem: JournalFileSystem = {
  async openForAppend(path) {
    const file = await open(path, 'a', 0o600);
    return {
      append: (text) => file.appendFile(text),
      sync: () => file.datasync(),
      touch: async () => {
        const now = new Date();
        await file.utimes(now, now);
      },
      close: () => file.close(),
    };
  },
};
