import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errnoOf, isNotThere, undefinedIfNotThere } from '@art/store';

/** Bottom up and only what is empty: a file that comes at the same time is not lost. `false` if something is left. */
export async function removeEmptyDirectories(path: string): Promise<boolean> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(undefinedIfNotThere)) ?? [];
  for (const entry of entries) {
    if (entry.isDirectory()) await removeEmptyDirectories(join(path, entry.name));
  }
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (isNotThere(error)) return true;
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}
