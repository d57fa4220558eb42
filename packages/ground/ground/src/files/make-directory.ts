// The one place that may use it, with the rule of the linter that keeps it out of others.
// oxlint-disable-next-line eslint/no-restricted-imports
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. Node's recursive `mkdir` (24.21) never ends, and keeps a core busy, where a file system
 * takes no names, as below `/proc`; here that is the system's error.
 * @param mode of what is made @default 0o777, less what the process's umask takes
 * @returns the outermost directory that was made; undefined where all were there
 * @throws Error with an errno `code`
 */
export async function makeDirectory(path: string, mode?: number): Promise<string | undefined> {
  if (await isMade(path, mode)) return path;
  if (await isDirectory(path)) return undefined;
  const above = await makeDirectory(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Somebody else was faster.
    if (!(await isDirectory(path))) throw error;
  });
  return above ?? path;
}

/** `false` where there is something already, or nothing to make it in. */
async function isMade(path: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EEXIST') return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
