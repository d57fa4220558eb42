import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './file-failure.ts';

/**
 * Makes a directory and those above it. Node's recursive `mkdir` (24.21) never ends where a file system takes no names, as
 * below `/proc`; here that is the system's error.
 * @returns the outermost directory that was made; undefined where all were there
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  if (await isMade(path)) return path;
  if (await isDirectory(path)) return undefined;
  const above = await makeDirectory(dirname(path));
  await mkdir(path).catch(async (error: unknown) => {
    // Somebody else was faster.
    if (!(await isDirectory(path))) throw error;
  });
  return above ?? path;
}

/** `false` where there is something already, or nothing to make it in. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
