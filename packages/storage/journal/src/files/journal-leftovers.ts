import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Something that a process which was killed left behind. */
export interface Leftover {
  path: string;
  bytes: number;
}

/** Younger ones may belong to a process that works on them at this moment, here or on another machine. */
const youngestMs = 3_600_000;

const removedPrefix = '.removed-';
const unfinishedSegment = /^\.\d+-[0-9a-f-]{36}$/;

/** Where a run is put aside while it is removed. */
export function asideName(runId: string): string {
  return `${removedPrefix}${runId}-${process.pid}-${Date.now()}`;
}

/** The name of a segment that is being written. */
export function unfinishedName(uuid: string): string {
  return `.${process.pid}-${uuid}`;
}

/** Temporary files of a journal, and folders of runs that were never begun. Nothing that a run needs looks so. */
export async function journalLeftovers(directory: string, nowMs: number): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if ((await oldEntry(path, nowMs)) === undefined) continue;
    if (name.startsWith(removedPrefix)) found.push({ path, bytes: await folderBytes(path) });
    else found.push(...(await leftoversOfRun(path, nowMs)));
  }
  return found;
}

/** Bytes of all files below a folder; 0 where there is none. What vanishes meanwhile counts nothing. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

async function leftoversOfRun(path: string, nowMs: number): Promise<Leftover[]> {
  const names = await namesIn(path);
  const old: Leftover[] = [];
  for (const name of names.filter((name) => unfinishedSegment.test(name))) {
    const entry = await oldEntry(join(path, name), nowMs);
    if (entry !== undefined) old.push({ path: join(path, name), bytes: entry.size });
  }
  // Without a segment it is no run: the process that began it died before.
  const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory() === true;
  if (names.length > old.length || !isFolder) return old;
  return [{ path, bytes: old.reduce((sum, { bytes }) => sum + bytes, 0) }];
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function oldEntry(path: string, nowMs: number): Promise<{ size: number } | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  return stat !== undefined && nowMs - stat.mtimeMs >= youngestMs ? stat : undefined;
}
