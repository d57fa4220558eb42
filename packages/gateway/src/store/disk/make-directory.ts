import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ArtError } from '@art/protocol';
import { diskFailure, isDiskFull } from './disk-failure.ts';

/** Makes a directory for a store, readable for its user only: traces are what agents were told. */
export async function makeStoreDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    const failure = diskFailure(directory, error);
    if (isDiskFull(failure)) throw failure;
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FAILED',
      message: `Expected a directory of traces that exists or can be made at ${directory}, got ${(error as Error).message}. Choose a place that this process may write to.`,
      cause: error,
    });
  }
}

/**
 * Makes a directory and those above it that are missing, one by one. Node's own `recursive` never returns, and keeps a core
 * busy, where a file system refuses a new entry with ENOENT, as /proc does (seen with Node 24.21).
 * @throws Error with an errno `code`: of `mkdir`, or of `stat` on the way there
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isDirectory(at)); at = dirname(at)) missing.push(at);
  for (const directory of missing.toReversed()) {
    try {
      await mkdir(directory, { mode });
    } catch (error) {
      // Another process was faster, or it is a file, or a link that leads nowhere.
      if (codeOf(error) !== 'EEXIST' || !(await isDirectory(directory))) throw error;
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    // Below a file there is nothing either; what is wrong is then said of the file.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
