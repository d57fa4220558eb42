import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareKeys } from '../sorted-keys.ts';
import { undefinedIfNotThere } from './file-failure.ts';
import { decodeName } from './file-name-codec.ts';

/** One step from a directory towards its keys. */
export interface DirectoryEntry {
  /** The decoded segment, with a slash behind it where keys continue below: sorted by this, keys come in their order. */
  sortKey: string;
  /** True if keys continue below. */
  isDirectory: boolean;
  path: string;
}

interface CachedDirectory {
  mtimeMs: number;
  inode: number;
  readAtMs: number;
  entries: DirectoryEntry[];
}

/** Smaller directories are read faster than they are looked up. */
const smallestCached = 256;
const mostCached = 32;
const cacheMs = 10_000;
// A directory that changed this shortly before it was read may change again within the same tick of its time stamp.
const settledMs = 1_500;

/**
 * Reads directories in key order and remembers large ones while they do not change, so that listing 100,000 keys in pages
 * does not read them all again for every page.
 */
export class SortedDirectories {
  readonly #cache = new Map<string, CachedDirectory>();
  readonly #nowMs: () => number;

  /** @param nowMs wall clock, compared with the time stamps of directories */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The entries of a directory; none where it does not exist. */
  async read(path: string): Promise<readonly DirectoryEntry[]> {
    const found = await stat(path).catch(undefinedIfNotThere);
    if (found === undefined) return [];
    const readAtMs = this.#nowMs();
    const cached = this.#cache.get(path);
    if (
      cached?.mtimeMs === found.mtimeMs &&
      cached.inode === found.ino &&
      readAtMs - cached.readAtMs < cacheMs
    ) {
      return cached.entries;
    }
    this.#cache.delete(path);
    const entries: DirectoryEntry[] = [];
    const isFlat = await readInto(entries, path, '');
    entries.sort((left, right) => compareKeys(left.sortKey, right.sortKey));
    if (isFlat && entries.length >= smallestCached && readAtMs - found.mtimeMs > settledMs) {
      const [oldest] = this.#cache.keys();
      if (this.#cache.size >= mostCached && oldest !== undefined) this.#cache.delete(oldest);
      this.#cache.set(path, { mtimeMs: found.mtimeMs, inode: found.ino, readAtMs, entries });
    }
    return entries;
  }
}

/** Answers whether all entries are in this very directory; the pieces of long names are in others. */
async function readInto(entries: DirectoryEntry[], directory: string, begun: string): Promise<boolean> {
  const found: Dirent[] | undefined = await readdir(directory, { withFileTypes: true }).catch(
    undefinedIfNotThere,
  );
  let isFlat = true;
  for (const entry of found ?? []) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const decoded = decodeName(entry.name, entry.isFile(), begun);
    if (decoded === undefined) continue;
    const path = join(directory, entry.name);
    if (decoded.kind === 'part') {
      isFlat = false;
      await readInto(entries, path, decoded.begun);
    } else {
      const isDirectory = decoded.kind === 'directory';
      entries.push({ sortKey: decoded.segment + (isDirectory ? '/' : ''), isDirectory, path });
    }
  }
  return isFlat;
}
