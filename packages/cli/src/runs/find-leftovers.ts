import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderBytes } from './folder-bytes.ts';

/** Something that a process which was killed left behind. */
export interface Leftover {
  path: string;
  bytes: number;
}

/** Younger ones may belong to a process that works on them at this moment, here or on another machine. */
const youngestMs = 3_600_000;

/** A run that was being removed, a segment that was being written. */
const removedRun = /^\.removed-/;
const unfinishedSegment = /^\.\d+-[0-9a-f-]{36}$/;

/**
 * Temporary files of a journal in a folder, and folders of runs that were never begun. Nothing that a run needs looks so.
 * @param directory the folder of runs
 */
export async function journalLeftovers(directory: string, nowMs: number): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if (!(await isOld(path, nowMs))) continue;
    if (removedRun.test(name)) {
      found.push({ path, bytes: await folderBytes(path) });
      continue;
    }
    const inside = await namesIn(path);
    const temporary = inside
      .filter((inner) => unfinishedSegment.test(inner))
      .map((inner) => join(path, inner));
    const old: Leftover[] = [];
    for (const file of temporary) {
      const stat = await lstat(file).catch(() => undefined);
      if (stat !== undefined && nowMs - stat.mtimeMs >= youngestMs)
        old.push({ path: file, bytes: stat.size });
    }
    // Without a segment it is no run: whoever began it did not live to tell.
    if (inside.length === old.length && (await isFolder(path)))
      found.push({ path, bytes: old.reduce((sum, { bytes }) => sum + bytes, 0) });
    else found.push(...old);
  }
  return found;
}

/** Temporary files in one folder. */
export async function oldFiles(directory: string, nowMs: number): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isFile() === true && nowMs - stat.mtimeMs >= youngestMs) found.push({ path, bytes: stat.size });
  }
  return found;
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

async function isOld(path: string, nowMs: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined);
  return stat !== undefined && nowMs - stat.mtimeMs >= youngestMs;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
