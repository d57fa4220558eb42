import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

const mostFiles = 5_000;
const leftOut = new Set(['node_modules', '.git']);

/** Content of a folder, by path; undefined where that is too much to look at. */
export type FolderContent = ReadonlyMap<string, string>;

/** Looks at every file of a folder but installed packages and Git's. */
export async function contentOf(folder: string): Promise<FolderContent | undefined> {
  const found = new Map<string, string>();
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !leftOut.has(entry.name)) waiting.push(path);
      if (!entry.isFile()) continue;
      const facts = await stat(path).catch(() => undefined);
      if (facts !== undefined) found.set(relative(folder, path), `${facts.mtimeMs} ${facts.size}`);
      if (found.size > mostFiles) return undefined;
    }
  }
  return found;
}

/** Names what is new or has changed since. */
export function writtenSince(before: FolderContent, after: FolderContent): string[] {
  return [...after].filter(([path, state]) => before.get(path) !== state).map(([path]) => path);
}
