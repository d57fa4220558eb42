import { join } from 'node:path';
import type { CallOptions } from '@art/protocol';
import type { ListPage, ListRange } from '../result-store.ts';
import { compareKeys } from '../sorted-keys.ts';
import { directoryNames } from './file-name-codec.ts';
import { realPathInside } from './inside-root.ts';
import { bucketPath } from './result-path.ts';
import type { SortedDirectories } from './sorted-directory.ts';

/**
 * One page of the keys of a bucket. Goes straight to the directory that the prefix names and enters only directories that
 * can hold keys of the page.
 * @throws StoreError `ART_INVALID_BUCKET`; `ART_INVALID_RESULT_KEY` when a symbolic link leads out of the root
 */
export async function listKeys(
  directories: SortedDirectories,
  root: string,
  range: ListRange & { limit: number },
  options: CallOptions,
): Promise<ListPage> {
  const parents = range.prefix.split('/').slice(0, -1);
  const at = { bucket: range.bucket, key: range.prefix };
  const start = join(bucketPath(root, 'list', at), ...parents.flatMap(directoryNames));
  const real = await realPathInside(root, start, 'list', at);
  if (real === undefined) return { keys: [], truncated: false };
  const keys: string[] = [];
  await collect(start, parents.map((parent) => `${parent}/`).join(''));
  const truncated = keys.length > range.limit;
  if (truncated) keys.pop();
  return { keys, truncated };

  async function collect(path: string, keysBegin: string): Promise<void> {
    options.signal?.throwIfAborted();
    for (const entry of await directories.read(path)) {
      const key = keysBegin + entry.sortKey;
      if (entry.isDirectory) {
        if (mayHoldKeys(key, range)) await collect(entry.path, key);
      } else if (key.startsWith(range.prefix) && isAfter(key, range.startAfter)) {
        keys.push(key);
      }
      // One more than the page holds is enough to know that it is not the last.
      if (keys.length > range.limit) return;
    }
  }
}

function mayHoldKeys(keysBegin: string, range: ListRange): boolean {
  if (!keysBegin.startsWith(range.prefix) && !range.prefix.startsWith(keysBegin)) return false;
  return isAfter(keysBegin, range.startAfter) || range.startAfter?.startsWith(keysBegin) === true;
}

function isAfter(key: string, startAfter: string | undefined): boolean {
  return startAfter === undefined || compareKeys(key, startAfter) > 0;
}
