import { open } from 'node:fs/promises';

/** Puts the names in a directory on the disk: a new file survives a power cut once its name does. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
