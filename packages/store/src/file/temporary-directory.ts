import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isNotThere } from './file-failure.ts';

/** No bucket can have this name: the codec escapes a leading dot. */
const name = '.temporary';

// Age and not process id decides: on a shared volume the ids of other machines and containers mean nothing here.
const staleAfterMs = 60 * 60_000;

export function temporaryDirectoryOf(root: string): string {
  return join(root, name);
}

/** A file that a writer which was killed left behind. */
export interface StaleFile {
  path: string;
  bytes: number;
}

/** What writers that were killed left behind. Younger files may belong to a writer that is alive. */
export async function staleTemporaryFiles(directory: string, nowMs: number): Promise<StaleFile[]> {
  const names = await readdir(directory).catch(nothingIfNotThere);
  const stale: StaleFile[] = [];
  for (const entry of names) {
    const path = join(directory, entry);
    const found = await stat(path).catch(nothingIfNotThere);
    if ('mtimeMs' in found && found.isFile() && nowMs - found.mtimeMs > staleAfterMs)
      stale.push({ path, bytes: found.size });
  }
  return stale;
}

/** Removes what writers that were killed left behind. */
export async function removeStaleTemporaryFiles(directory: string, nowMs: number): Promise<void> {
  for (const { path } of await staleTemporaryFiles(directory, nowMs)) await rm(path, { force: true });
}

function nothingIfNotThere(error: unknown): [] {
  if (isNotThere(error)) return [];
  throw error;
}
