import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfNotThere } from './file-failure.ts';

// Age and not process id decides: on a shared volume the ids of other machines and containers mean nothing here.
const staleAfterMs = 60 * 60_000;

/** A file that a writer which was killed left behind. */
export interface StaleFile {
  path: string;
  bytes: number;
}

/**
 * Files that killed writers left behind in a directory. Younger files may belong to a writer that is alive.
 * @param isUnfinished true for the name of an unfinished file
 */
export async function staleFiles(
  directory: string,
  nowMs: number,
  isUnfinished: (name: string) => boolean = () => true,
): Promise<StaleFile[]> {
  const names = (await readdir(directory).catch(undefinedIfNotThere)) ?? [];
  const stale: StaleFile[] = [];
  for (const name of names.filter(isUnfinished)) {
    const path = join(directory, name);
    const found = await stat(path).catch(undefinedIfNotThere);
    if (found?.isFile() === true && nowMs - found.mtimeMs > staleAfterMs)
      stale.push({ path, bytes: found.size });
  }
  return stale;
}

/** Housekeeping: what cannot be removed is in nobody's way, and no reason to lose what is to be written. */
export async function removeStaleFiles(...of: Parameters<typeof staleFiles>): Promise<void> {
  for (const { path } of await staleFiles(...of).catch(() => []))
    await rm(path, { force: true }).catch(() => undefined);
}
