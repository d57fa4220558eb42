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

/** Removes what writers that were killed left behind. Younger files may belong to a writer that is alive. */
export async function removeStaleTemporaryFiles(directory: string, nowMs: number): Promise<void> {
  const names = await readdir(directory).catch(nothingIfNotThere);
  for (const entry of names) {
    const path = join(directory, entry);
    const found = await stat(path).catch(nothingIfNotThere);
    if ('mtimeMs' in found && nowMs - found.mtimeMs > staleAfterMs) await rm(path, { force: true });
  }
}

function nothingIfNotThere(error: unknown): [] {
  if (isNotThere(error)) return [];
  throw error;
}
