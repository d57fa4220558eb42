import { link, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import { makeDirectory } from '@art/store';

import { errorCodeOf } from './file-identity.ts';

/** Gives a complete file its name; with `exclusive` it answers `false` where there is a file already. */
export async function placeFile(from: string, to: string, exclusive: boolean): Promise<boolean> {
  const move = (): Promise<void> => (exclusive ? link(from, to) : rename(from, to));
  try {
    await move().catch(async (error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT') throw error;
      await makeDirectory(dirname(to));
      await move();
    });
    return true;
  } catch (error) {
    if (exclusive && errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Waits until the names in a directory have reached the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
